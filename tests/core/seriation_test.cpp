// The order in which similar rows stand beside each other.
#include "core/analyses/seriation.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <numeric>
#include <random>

namespace headlight::seriation_test {
namespace {

/// Row k has its hump at k: rows are the more similar the nearer they are.
Matrix humps(Index n) {
    Matrix X(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            const auto apart = static_cast<Scalar>(i - j);
            X(i, j) = std::exp(-apart * apart / 8);
        }
    return X;
}

std::vector<Index> shuffled(Index n, unsigned seed) {
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    return order;
}

/// From one end to the other, each next to its neighbours.
bool is_consecutive(const std::vector<Index>& places) {
    for (std::size_t k = 1; k < places.size(); ++k)
        if (std::abs(places[k] - places[k - 1]) != 1) return false;
    return true;
}

/// Where the rows that are put in order had stood before they were shuffled.
std::vector<Index> before(const std::vector<Index>& order, const std::vector<Index>& shuffle) {
    std::vector<Index> places;
    for (const Index k : order) places.push_back(shuffle[static_cast<std::size_t>(k)]);
    return places;
}

}  // namespace

TEST_CASE("seriation: rows that form a chain come back in its order, from either end") {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const std::vector<Index> shuffle = shuffled(24, seed);
        const Matrix X = humps(24)(shuffle, Eigen::all);
        CHECK_FALSE(is_consecutive(shuffle));
        CHECK(is_consecutive(before(seriation_order(X), shuffle)));
        // Rows and columns together, as of the words of a text.
        const Matrix both = humps(24)(shuffle, shuffle);
        CHECK(is_consecutive(before(common_seriation_order(both), shuffle)));
    }
}

TEST_CASE("seriation: the first row is in the first half, and equal rows keep their order") {
    const Matrix chain = humps(9);
    CHECK(seriation_order(chain).front() == 0);
    Matrix groups = Matrix::Zero(6, 2);
    for (const Index k : {0, 2, 4}) groups(k, 0) = 1;
    for (const Index k : {1, 3, 5}) groups(k, 1) = 1;
    CHECK(seriation_order(groups) == std::vector<Index>{0, 2, 4, 1, 3, 5});
    const Matrix same = Matrix::Ones(5, 3);
    CHECK(seriation_order(same) == std::vector<Index>{0, 1, 2, 3, 4});
}

TEST_CASE("seriation: it is an order of all rows, whatever they hold") {
    constexpr Scalar kInf = std::numeric_limits<Scalar>::infinity();
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    for (const Index n : {1, 2, 3, 17, 128, 129}) {
        Matrix X = Matrix::NullaryExpr(n, 5, [&] { return normal(random); });
        X(0, 0) = -kInf;
        X(n - 1, 4) = std::numeric_limits<Scalar>::quiet_NaN();
        std::vector<Index> order = seriation_order(X);
        if (n < 3 || n > kMostSeriated) CHECK(std::ranges::is_sorted(order));
        std::ranges::sort(order);
        std::vector<Index> all(static_cast<std::size_t>(n));
        std::iota(all.begin(), all.end(), Index{0});
        CHECK(order == all);
    }
}

}  // namespace headlight::seriation_test
