#include "model/workers.h"

#include <cstring>
#include <doctest/doctest.h>
#include <stdexcept>
#include <string>

#include "core/error.h"
#include "model/evaluate.h"

namespace headlight::workers_test {
namespace {

Document long_sentence() {
    Document document = built_in_sentence();
    document.sentence()->text.clear();
    for (int i = 0; i < 600; ++i) document.sentence()->text += "w" + std::to_string(i) + " ";
    return document;
}

bool is_same(const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(Scalar)) ==
               0;
}

}  // namespace

TEST_CASE("workers: every task runs exactly once, for any number of tasks") {
    for (const int n_threads : {0, 1, 3}) {
        Workers workers(n_threads);
        const ForEach for_each = workers.for_each();
        for (const Index count : {0, 1, 2, 100, 1000}) {
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
            for_each(count, [&](Index i) { ++runs[static_cast<std::size_t>(i)]; });
            for (const std::atomic<int>& n : runs) CHECK(n == 1);
        }
    }
}

TEST_CASE("workers: many short jobs in a row, and jobs within jobs") {
    Workers workers(2);
    const ForEach for_each = workers.for_each();
    std::atomic<int> n = 0;
    for (int job = 0; job < 2000; ++job) for_each(3, [&](Index) { ++n; });
    CHECK(n == 6000);
    for_each(4, [&](Index) { for_each(5, [&](Index) { ++n; }); });
    CHECK(n == 6020);
}

TEST_CASE("workers: an exception of a task reaches the caller, and the next job runs") {
    Workers workers(2);
    const ForEach for_each = workers.for_each();
    for (int again = 0; again < 50; ++again) {
        std::string text;
        try {
            for_each(20, [](Index i) {
                if (i == 7) throw Error("test", "seven");
            });
        } catch (const Error& error) {
            text = error.what();
        }
        CHECK(text == "[test] seven");
    }
    std::atomic<int> n = 0;
    for_each(20, [&](Index) { ++n; });
    CHECK(n == 20);
}

TEST_CASE("workers: an evaluation gives the same bits with and without threads") {
    const Document document = long_sentence();
    const Watched result{.everything = false, .globs = {"*.result"}};
    const Trace expected = evaluate(document, nullptr, result);
    for (const int n_threads : {1, 3}) {
        Workers workers(n_threads);
        const Trace trace = evaluate(document, nullptr, result, workers.for_each());
        for (TensorId id = 0; id < trace.tensors().size(); ++id)
            if (trace[id].value)
                CHECK_MESSAGE(is_same(*trace[id].value, *expected[id].value), trace[id].path());
    }
}

}  // namespace headlight::workers_test
