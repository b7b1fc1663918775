#include "core/numeric/softmax.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::softmax_test {
namespace {

constexpr Scalar kInfinite = std::numeric_limits<Scalar>::infinity();
constexpr Scalar kNaN = std::numeric_limits<Scalar>::quiet_NaN();

std::vector<Scalar> softmax_of(const std::vector<Scalar>& scores) {
    std::vector<Scalar> a(scores.size(), 7);
    softmax(scores, a);
    return a;
}

std::vector<Scalar> random_scores(Index size, std::uint64_t seed, Scalar deviation) {
    const Matrix values = random_matrix(1, size, seed) * deviation;
    return {values.data(), values.data() + size};
}

double sum_of(const std::vector<Scalar>& values) {
    double sum = 0;
    for (const Scalar value : values) sum += value;
    return sum;
}

/// The textbook definition, in double.
std::vector<double> softmax_by_definition(const std::vector<Scalar>& scores) {
    double sum = 0;
    for (const Scalar s : scores) sum += std::exp(static_cast<double>(s));
    std::vector<double> a;
    for (const Scalar s : scores) a.push_back(std::exp(static_cast<double>(s)) / sum);
    return a;
}

bool is_a_softmax(const std::vector<Scalar>& a, const std::vector<Scalar>& scores) {
    const std::vector<double> expected = softmax_by_definition(scores);
    for (std::size_t j = 0; j < a.size(); ++j)
        if (!(std::abs(a[j] - expected[j]) < 1e-6)) return false;
    return std::abs(sum_of(a) - 1) < 1e-6;
}

}  // namespace

TEST_CASE("softmax: it agrees with the definition and sums to 1, at every length") {
    for (Index size = 1; size <= 70; ++size)
        for (const Scalar deviation : {Scalar(0.1), Scalar(1), Scalar(8)}) {
            const std::vector<Scalar> scores = random_scores(size, 3, deviation);
            CHECK_MESSAGE(is_a_softmax(softmax_of(scores), scores), size);
        }
    const std::vector<Scalar> scores = random_scores(4096, 3, 4);
    CHECK(is_a_softmax(softmax_of(scores), scores));
}

TEST_CASE("softmax: a wrong answer is rejected") {
    const std::vector<Scalar> scores = random_scores(5, 3, 1);
    std::vector<Scalar> a = softmax_of(scores);
    std::swap(a[0], a[1]);
    CHECK_FALSE(is_a_softmax(a, scores));
    std::swap(a[0], a[1]);
    a[2] += Scalar(1e-5);
    CHECK_FALSE(is_a_softmax(a, scores));
    a[2] = kNaN;
    CHECK_FALSE(is_a_softmax(a, scores));
}

TEST_CASE("softmax: shifting all scores changes nothing") {
    const std::vector<Scalar> scores = random_scores(23, 4, 2);
    std::vector<Scalar> shifted = scores;
    for (Scalar& s : shifted) s += 1000;
    const std::vector<Scalar> a = softmax_of(scores), b = softmax_of(shifted);
    for (std::size_t j = 0; j < a.size(); ++j) CHECK(b[j] == doctest::Approx(a[j]).epsilon(1e-3));
    for (Scalar& s : shifted) s = s - 1000 + 8;  // exact enough in float
    const std::vector<Scalar> c = softmax_of(shifted);
    for (std::size_t j = 0; j < a.size(); ++j) CHECK(std::abs(c[j] - a[j]) < 1e-4);
}

TEST_CASE("softmax: masked cells are exactly 0, wherever they are") {
    for (std::size_t size = 2; size <= 40; ++size)
        for (std::size_t free = 0; free < size; ++free) {
            std::vector<Scalar> scores(size, kMasked);
            scores[free] = -5;
            const std::vector<Scalar> a = softmax_of(scores);
            for (std::size_t j = 0; j < size; ++j) CHECK(a[j] == (j == free ? 1 : 0));
        }
}

TEST_CASE("softmax: a fully masked row is all zeros") {
    for (std::size_t size = 1; size <= 40; ++size)
        CHECK(softmax_of(std::vector<Scalar>(size, kMasked)) == std::vector<Scalar>(size, 0));
}

TEST_CASE("softmax: an empty list gives an empty list") {
    CHECK(softmax_of({}).empty());
}

TEST_CASE("softmax: NaN and +∞ make the row NaN, never a plausible number") {
    for (std::size_t size = 1; size <= 40; ++size)
        for (const Scalar bad : {kNaN, kInfinite}) {
            std::vector<Scalar> scores = random_scores(static_cast<Index>(size), 5, 1);
            scores[size / 2] = bad;
            if (size > 2) scores[0] = kMasked;
            for (const Scalar a : softmax_of(scores)) CHECK(std::isnan(a));
        }
}

TEST_CASE("softmax: no result is denormal, however far apart the scores are") {
    for (std::size_t size : {2u, 17u, 64u, 4096u}) {
        std::vector<Scalar> scores(size, 0);
        for (std::size_t j = 0; j < size / 2; ++j)
            scores[j] = -Scalar(70) - Scalar(60) * Scalar(j) / Scalar(size);
        for (const Scalar a : softmax_of(scores)) {
            const int kind = std::fpclassify(a);
            CHECK((kind == FP_NORMAL || kind == FP_ZERO));
        }
    }
}

TEST_CASE("explain_softmax: its powers equal those of the table, for small and large scores") {
    for (const Scalar s : {Scalar(3), Scalar(300), Scalar(-300)}) {
        const Explanation e = explain_softmax({{0, 0, 0, s}, {0, 0, 1, s - 1}}, 1, Scalar(0.27));
        const SoftmaxTable table = softmax_table(e);
        CHECK(e.rule == "exp(S(i,j) − max) / Σ_j exp(S(i,j) − max)");
        CHECK(e.finish[0].what == "exp(S − max)");
        CHECK(e.finish[0].value == table.entries[1].exp);
        CHECK(e.sum == table.sum);
        for (std::size_t j = 0; j < 2; ++j) CHECK(e.terms[j].value == table.entries[j].exp);
    }
}

TEST_CASE("softmax_table: scores, shifted scores, powers and weights are consistent") {
    const Explanation e = explain_softmax(
        {{0, 4, 0, Scalar(1.5)}, {0, 4, 1, kMasked}, {0, 4, 2, Scalar(-0.5)}}, 0, Scalar(0.88));
    const SoftmaxTable table = softmax_table(e);
    REQUIRE(table.entries.size() == 3);
    CHECK(table.max == Scalar(1.5));
    CHECK(table.entries[0].shifted == 0);
    CHECK(table.entries[0].exp == 1);
    CHECK(table.entries[2].shifted == -2);
    CHECK(table.entries[2].exp == doctest::Approx(std::exp(-2.0)));
    CHECK(table.sum == doctest::Approx(1 + std::exp(-2.0)));
    CHECK(table.entries[2].weight == doctest::Approx(std::exp(-2.0) / (1 + std::exp(-2.0))));
    CHECK(table.entries[1].shifted == kMasked);
    CHECK(table.entries[1].exp == 0);
    CHECK(table.entries[1].weight == 0);
}

TEST_CASE("softmax_table: a fully masked row has weights of 0") {
    const SoftmaxTable table =
        softmax_table(explain_softmax({{0, 0, 0, kMasked}, {0, 0, 1, kMasked}}, 0, 0));
    CHECK(table.sum == 0);
    for (const SoftmaxEntry& entry : table.entries) {
        CHECK(entry.shifted == kMasked);
        CHECK(entry.weight == 0);
    }
}

}  // namespace headlight::softmax_test
