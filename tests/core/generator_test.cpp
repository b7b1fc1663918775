#include "core/numeric/generator.h"

#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <utility>

#include "core/studies.h"

namespace headlight::generator_test {
namespace {

/// The integer that the uniform number is made from.
std::int32_t uniform_bits(std::uint64_t seed, const char* key, Index row, Index column) {
    return static_cast<std::int32_t>(SeededNumbers(seed, key).uniform(row, column, 1) * (1 << 24));
}

std::int32_t normal_bits(std::uint64_t seed, const char* key, Index row, Index column) {
    return static_cast<std::int32_t>(SeededNumbers(seed, key).normal(row, column, 1) * (1 << 16));
}

struct Moments {
    double mean = 0, deviation = 0, correlation = 0;  // of neighbours
};

Moments moments_of(const std::function<Scalar(Index)>& draw) {
    constexpr Index n = 20000;
    double sum = 0, squares = 0, products = 0, before = 0;
    for (Index i = 0; i < n; ++i) {
        const double x = draw(i);
        sum += x;
        squares += x * x;
        products += x * std::exchange(before, x);
    }
    const double mean = sum / n, variance = squares / n - mean * mean;
    return {mean, std::sqrt(variance), (products / n - mean * mean) / variance};
}

bool is_standard(const Moments& m, double deviation) {
    return std::abs(m.mean) < 0.03 && std::abs(m.deviation / deviation - 1) < 0.02 &&
           std::abs(m.correlation) < 0.03;
}

}  // namespace

TEST_CASE("generator: the numbers are the same on every machine and compiler") {
    CHECK(uniform_bits(1, "", 0, 0) == 7797549);
    CHECK(uniform_bits(1, "W", 0, 0) == 9322481);
    CHECK(uniform_bits(1, "W", 3, 2) == -129619);
    CHECK(uniform_bits(42, "blocks.0.attn.heads.2.W_Q", 31, 7) == -7212775);
    CHECK(uniform_bits(~0ull, "gat.0.heads.0.a_src", 1000, 1000) == -508003);
    CHECK(normal_bits(1, "word:it", 0, 0) == -35935);
    CHECK(normal_bits(1, "word:it", 0, 31) == 31448);
    CHECK(normal_bits(42, "word:Привет", 0, 1) == 30090);
    CHECK(normal_bits(0, "node:33", 0, 7) == 4014);
}

TEST_CASE("generator: uniform numbers have the right mean and deviation") {
    for (const std::uint64_t seed : {0ull, 1ull, 2ull, 1ull << 63}) {
        CHECK(is_standard(moments_of([&](Index i) {
                              return SeededNumbers(seed, "W").uniform(i / 100, i % 100, 1);
                          }),
                          1 / std::sqrt(3)));
        CHECK(is_standard(
            moments_of([&](Index i) { return SeededNumbers(seed, "W").uniform(i, 0, 1); }),
            1 / std::sqrt(3)));
    }
}

TEST_CASE("generator: normal numbers have the right mean and deviation") {
    for (const std::uint64_t seed : {0ull, 1ull, 2ull}) {
        const auto draw = [&](Index i) { return SeededNumbers(seed, "word:it").normal(0, i, 1); };
        CHECK(is_standard(moments_of(draw), 1));
        int n_far = 0;
        for (Index i = 0; i < 20000; ++i) n_far += std::abs(draw(i)) > 2;
        CHECK(n_far > 800);
        CHECK(n_far < 1000);  // 4.55 % of a normal law
    }
}

TEST_CASE("generator: the law rejects a wrong distribution") {
    CHECK_FALSE(is_standard(moments_of([](Index i) { return Scalar(i % 2); }), 0.5));
    CHECK_FALSE(is_standard(moments_of([](Index i) { return i % 2 ? Scalar(1) : Scalar(-1); }), 1));
    CHECK_FALSE(
        is_standard(moments_of([](Index i) { return SeededNumbers(1, "W").uniform(i, 0, 2); }),
                    1 / std::sqrt(3)));
}

TEST_CASE("generator: the number depends on seed, key, row and column") {
    const Scalar x = SeededNumbers(1, "W").uniform(2, 3, 1);
    CHECK(x == SeededNumbers(1, "W").uniform(2, 3, 1));
    CHECK(x != SeededNumbers(2, "W").uniform(2, 3, 1));
    CHECK(x != SeededNumbers(1, "V").uniform(2, 3, 1));
    CHECK(x != SeededNumbers(1, "W").uniform(3, 2, 1));
    CHECK(x != SeededNumbers(1, "W").uniform(2, 4, 1));
}

TEST_CASE("generator: uniform numbers stay inside their limit and are never 0") {
    for (Index i = 0; i < 5000; ++i) {
        const Scalar x = SeededNumbers(9, "W").uniform(i, i, Scalar(0.25));
        CHECK((x != 0 && std::abs(x) < Scalar(0.25)));
    }
}

TEST_CASE("generator: a matrix that grows keeps its numbers") {
    const Trace small = sentence("it was", stack_of({.n_heads = 2, .d_model = 8}));
    const Trace large = sentence("it was so tired", stack_of({.n_heads = 3, .d_model = 12}));
    CHECK(is_same(value(large, "embed").topLeftCorner(2, 8), value(small, "embed")));
    const std::string path = "blocks.0.attn.heads.1.W_Q";
    const Matrix& before = value(small, path);
    const Scalar ratio = unit_sum_limit(12) / unit_sum_limit(8);
    CHECK(distance(value(large, path).topRows(8), before * ratio) < 1e-6);
}

TEST_CASE("unit_sum_limit: it is √(3 / n)") {
    CHECK(unit_sum_limit(3) == 1);
    CHECK(unit_sum_limit(12) == Scalar(0.5));
}

}  // namespace headlight::generator_test
