#include "core/pieces.h"

#include <doctest/doctest.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace headlight::pieces_test {
namespace {

/// Adds the numbers below n, one a piece. Throws at the number `wrong`.
Pieces<int> sum_below(int n, int wrong, std::shared_ptr<int> had) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        if (i == wrong) throw std::runtime_error("wrong number");
        sum += i;
        *had = sum;
        co_await kPause;
    }
    co_return sum;
}

Pieces<std::string> sums(int wrong, std::shared_ptr<int> had) {
    std::string text;
    for (int n = 2; n < 5; ++n) {
        const int sum = co_await sum_below(n, wrong, had);
        text += std::to_string(sum) + " ";
    }
    co_return text;
}

/// Says what the part has thrown, and goes on.
Pieces<std::string> forgiving(std::shared_ptr<int> had) {
    std::string text;
    try {
        text = co_await sums(3, had);
    } catch (const std::runtime_error& error) {
        text = error.what();
    }
    co_await kPause;
    co_return text + "!";
}

template <typename Result>
int count_pieces(Pieces<Result>& work) {
    int n = 1;
    while (work.next()) ++n;
    return n;
}

}  // namespace

TEST_CASE("pieces: one by one they give the result of doing all at once") {
    const auto had = std::make_shared<int>();
    CHECK(at_once(sums(-1, had)) == "1 3 6 ");
    Pieces<std::string> work = sums(-1, had);
    *had = -1;
    CHECK(work.next());
    CHECK(*had == 0);  // no more than one piece was done
    CHECK(work.next());
    CHECK(*had == 1);
    CHECK(count_pieces(work) == 2 + 3 + 4 + 1 - 2);
    CHECK(work.take() == "1 3 6 ");
}

TEST_CASE("pieces: what a part throws reaches who waits for it, and then the result's reader") {
    const auto had = std::make_shared<int>();
    CHECK(at_once(forgiving(had)) == "wrong number!");
    Pieces<std::string> work = sums(3, had);
    CHECK(count_pieces(work) == 2 + 3 + 3 + 1);
    CHECK_THROWS_WITH(work.take(), "wrong number");
}

TEST_CASE("pieces: work that is given up frees what it had, in its parts too") {
    const auto had = std::make_shared<int>();
    {
        Pieces<std::string> begun = sums(-1, had), not_begun = sums(-1, had);
        begun.next();
        CHECK(had.use_count() > 3);
        Pieces<std::string> moved = std::move(begun);
        moved.next();
        CHECK(*had == 1);
    }
    CHECK(had.use_count() == 1);
}

}  // namespace headlight::pieces_test
