#include "model/workers.h"

#include <atomic>
#include <cstring>
#include <doctest/doctest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

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

/// Work that counts its pieces, and ends after so many.
Pieces<int> counted(std::atomic<int>& n_done, int n) {
    while (n_done < n) {
        ++n_done;
        co_await kPause;
        if (n_done == 7) throw Error("test", "seven");
    }
    co_return n_done;
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

TEST_CASE("background work: all its pieces are done, or all up to one that fails") {
    std::atomic<int> n_done = 0, n_woken = 0;
    Background<int> work;
    for (const int n : {0, 1, 6, 9}) {
        n_done = n_woken = 0;
        work.start([&](Progress&) { return counted(n_done, n); }, [&] { ++n_woken; });
        work.wait();
        CHECK(work.is_ready());
        if (n < 7)
            CHECK(work.take() == n);
        else
            CHECK_THROWS_WITH(work.take(), "[test] seven");
        CHECK(n_woken == 1);
        CHECK_FALSE(work.is_running());
    }
}

TEST_CASE("background work: between two pieces it can be cancelled, and frees what it had") {
    const auto had = std::make_shared<int>();
    std::atomic<int> n_done = 0;
    Background<int> work;
    const auto endless = [&n_done, had](Progress&) -> Pieces<int> {
        const std::shared_ptr<int> held = had;
        while (true) {  // it never asks whether it was cancelled
            ++n_done;
            co_await kPause;
        }
    };
    work.start(endless, {});
    while (n_done < 3) std::this_thread::yield();
    work.cancel();
    work.wait();
    const int n_then = n_done;
    CHECK_THROWS_AS(work.take(), Cancelled);
    CHECK(n_done == n_then);
    {
        Background<int> forgotten;
        forgotten.start(endless, {});
    }
    CHECK(had.use_count() == 2);  // here, and in `endless`
}

}  // namespace headlight::workers_test
