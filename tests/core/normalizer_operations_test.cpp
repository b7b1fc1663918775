#include "core/operations/normalizer_operations.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/operation_cases.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::normalizer_operations_test {
namespace {

constexpr Scalar kInfinite = std::numeric_limits<Scalar>::infinity();
constexpr Scalar kTolerance = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);

OperationCase use_of(const Operation& normalizer, const Matrix& S, Index k) {
    return {normalizer.name, &normalizer, {S}, {.count = k}, S.rows(), S.cols()};
}

Matrix normalized(const Operation& normalizer, const Matrix& S, Index k = 3) {
    return use_of(normalizer, S, k).forward();
}

/// The gradient of Σ G · A.
Matrix pulled(const Operation& normalizer, const Matrix& S, const Matrix& G) {
    const OperationCase use = use_of(normalizer, S, 3);
    std::vector<ConstView> in;
    std::vector<Matrix> into{Matrix::Zero(S.rows(), S.cols())};
    const Matrix A = use.forward();
    normalizer.pull(use.call(in), view(A), view(G), into);
    return into[0];
}

/// max(s/power − τ, 0)^power, where bisection finds the τ that gives a sum of 1.
std::vector<double> by_bisection(const std::vector<double>& s, int power) {
    const double largest = *std::max_element(s.begin(), s.end()) / power;
    const auto pattern = [&](double tau) {
        std::vector<double> a;
        for (const double x : s) a.push_back(std::pow(std::max(x / power - tau, 0.0), power));
        return a;
    };
    double low = largest - 1, high = largest;
    for (int step = 0; step < 200; ++step) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (const double a : pattern(middle)) sum += a;
        (sum > 1 ? low : high) = middle;
    }
    return pattern(low);
}

bool is_from_bisection(const Matrix& A, const Matrix& S, int power) {
    for (Index i = 0; i < S.rows(); ++i) {
        const std::vector<double> a =
            by_bisection({S.row(i).data(), S.row(i).data() + S.cols()}, power);
        for (Index j = 0; j < S.cols(); ++j)
            if (!(std::abs(A(i, j) - a[std::size_t(j)]) < kTolerance)) return false;
    }
    return true;
}

Index n_read(const Matrix& A) {
    return (A.array() > 0).count();
}

}  // namespace

TEST_CASE("normalizers: rows are nonnegative and sum to 1, at every size and spread") {
    for (const Operation* normalizer : operations::normalizer_operations())
        for (const Index n : {1, 2, 7, 64, 2048})
            for (const Scalar spread : {Scalar(0.01), Scalar(1), Scalar(30)}) {
                const Matrix A = normalized(*normalizer, random_matrix(3, n, 4) * spread);
                CHECK_MESSAGE((A.array() >= 0).all(), normalizer->name);
                CHECK_MESSAGE((A.rowwise().sum().array() - 1).abs().maxCoeff() < kTolerance,
                              normalizer->name);
            }
}

TEST_CASE("normalizers: a masked cell is exactly 0, and the rest is as if it did not exist") {
    const Matrix S = random_matrix(3, 8, 4);
    Matrix masked(3, 9);
    masked << S.leftCols(5), Matrix::Constant(3, 1, kMasked), S.rightCols(3);
    for (const Operation* normalizer : operations::normalizer_operations()) {
        const Matrix A = normalized(*normalizer, S), B = normalized(*normalizer, masked);
        CHECK_MESSAGE(B.col(5).isZero(0), normalizer->name);
        CHECK_MESSAGE(distance(A.leftCols(5), B.leftCols(5)) < kTolerance, normalizer->name);
        CHECK_MESSAGE(distance(A.rightCols(3), B.rightCols(3)) < kTolerance, normalizer->name);
    }
}

TEST_CASE("normalizers: a fully masked row is all zeros, with zero gradient") {
    const Matrix S = Matrix::Constant(2, 5, kMasked);
    for (const Operation* normalizer : operations::normalizer_operations()) {
        CHECK_MESSAGE(normalized(*normalizer, S).isZero(0), normalizer->name);
        CHECK_MESSAGE(pulled(*normalizer, S, random_matrix(2, 5, 3)).isZero(0), normalizer->name);
    }
}

TEST_CASE("normalizers: NaN and +∞ make their row NaN, never a plausible number") {
    for (const Operation* normalizer : operations::normalizer_operations())
        for (const Scalar bad : {std::numeric_limits<Scalar>::quiet_NaN(), kInfinite}) {
            Matrix S = random_matrix(3, 6, 4);
            S(1, 4) = bad;
            S(1, 0) = kMasked;
            const Matrix A = normalized(*normalizer, S);
            CHECK_MESSAGE(A.row(1).array().isNaN().all(), normalizer->name);
            CHECK_MESSAGE(A.row(0).array().isFinite().all(), normalizer->name);
            CHECK_MESSAGE(A.row(2).array().isFinite().all(), normalizer->name);
        }
}

TEST_CASE("normalizers: shifting all scores changes nothing, and large scores do not overflow") {
    const Matrix S = random_matrix(3, 9, 5);
    for (const Operation* normalizer : operations::normalizer_operations()) {
        const Matrix A = normalized(*normalizer, S);
        const Matrix shifted = S.array() + 2;
        CHECK_MESSAGE(distance(normalized(*normalizer, shifted), A) < kTolerance, normalizer->name);
        CHECK_MESSAGE(normalized(*normalizer, S * Scalar(1e30)).array().isFinite().all(),
                      normalizer->name);
    }
}

TEST_CASE("normalizers: every one becomes hard as the temperature falls") {
    const Matrix S = random_matrix(4, 9, 6);
    const Matrix hard = normalized(operations::hard_rows, S);
    for (const Operation* normalizer : {&operations::softmax_rows, &operations::top_k_rows,
                                        &operations::sparsemax_rows, &operations::entmax_rows}) {
        const auto from_hard = [&](Scalar temperature) {
            return distance(normalized(*normalizer, S / temperature), hard);
        };
        CHECK_MESSAGE(from_hard(Scalar(1e-3)) < Scalar(1e-9), normalizer->name);
        CHECK_MESSAGE(from_hard(1) > Scalar(0.01),
                      normalizer->name);  // at temperature 1 it is not hard
    }
}

TEST_CASE("hard_rows: one 1 per row, at the first of equal scores, and no gradient") {
    const Matrix S{{1, 3, 3, 2}, {-5, kMasked, -5, -7}, {0, 0, 0, 0}};
    const Matrix expected{{0, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    CHECK(is_same(normalized(operations::hard_rows, S), expected));
    CHECK(pulled(operations::hard_rows, S, random_matrix(3, 4, 1)).isZero(0));
}

TEST_CASE("top_k_rows: it is softmax if k is at least the number of keys, and hard if k is 1") {
    const Matrix S = random_matrix(4, 7, 2);
    const Matrix soft = normalized(operations::softmax_rows, S);
    const auto from_soft = [&](Index k) {
        return distance(normalized(operations::top_k_rows, S, k), soft);
    };
    CHECK(from_soft(7) < kTolerance);
    CHECK(from_soft(99) < kTolerance);
    CHECK(from_soft(6) > Scalar(1e-3));
    CHECK(is_same(normalized(operations::top_k_rows, S, 1), normalized(operations::hard_rows, S)));
}

TEST_CASE("top_k_rows: k keys are read, the first ones among equals") {
    const Matrix S{{2, 1, 2, 1, 1, 0}};
    const Matrix A = normalized(operations::top_k_rows, S, 4);
    const std::vector<bool> is_read{true, true, true, true, false, false};
    for (Index j = 0; j < 6; ++j) CHECK((A(0, j) > 0) == is_read[std::size_t(j)]);
    CHECK(A(0, 0) == A(0, 2));
    CHECK(n_read(normalized(operations::top_k_rows, Matrix::Zero(1, 6), 4)) == 4);
    const Matrix few{{kMasked, 1, kMasked, 3}};
    CHECK(n_read(normalized(operations::top_k_rows, few, 3)) == 2);
}

TEST_CASE("sparsemax_rows: values computed by hand") {
    const Matrix S{{Scalar(0.5), 0}, {1, 0}, {3, 0}, {-1, -1}};
    const Matrix expected{{Scalar(0.75), Scalar(0.25)}, {1, 0}, {1, 0}, {Scalar(0.5), Scalar(0.5)}};
    CHECK(distance(normalized(operations::sparsemax_rows, S), expected) < kTolerance);
}

TEST_CASE("entmax_rows: values computed by hand") {
    // z = (1/2, 0): (1/2 − τ)² + τ² = 1, so τ = (1 − √7) / 4.
    const double tau = (1 - std::sqrt(7.0)) / 4;
    const Matrix S{{1, 0}, {2, 0}, {-3, -3}};
    const Matrix expected{
        {Scalar((0.5 - tau) * (0.5 - tau)), Scalar(tau * tau)}, {1, 0}, {Scalar(0.5), Scalar(0.5)}};
    CHECK(distance(normalized(operations::entmax_rows, S), expected) < kTolerance);
}

TEST_CASE("sparsemax_rows and entmax_rows: they agree with bisection") {
    for (const Index n : {1, 2, 5, 33, 500})
        for (const Scalar spread : {Scalar(0.02), Scalar(0.5), Scalar(3)}) {
            const Matrix S = random_matrix(4, n, 8) * spread;
            CHECK(is_from_bisection(normalized(operations::sparsemax_rows, S), S, 1));
            CHECK(is_from_bisection(normalized(operations::entmax_rows, S), S, 2));
        }
}

TEST_CASE("sparsemax_rows and entmax_rows: a wrong answer is rejected") {
    const Matrix S = random_matrix(2, 6, 8);
    CHECK_FALSE(is_from_bisection(normalized(operations::softmax_rows, S), S, 1));
    CHECK_FALSE(is_from_bisection(normalized(operations::sparsemax_rows, S), S, 2));
    Matrix A = normalized(operations::entmax_rows, S);
    A(1, 2) += Scalar(1e-4);
    CHECK_FALSE(is_from_bisection(A, S, 2));
}

TEST_CASE("sparsemax_rows: no other pattern is closer to the scores") {
    const Matrix S = random_matrix(1, 6, 9);
    const Matrix A = normalized(operations::sparsemax_rows, S);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Matrix other = normalized(operations::softmax_rows, random_matrix(1, 6, seed) * 3);
        CHECK((A - S).squaredNorm() < (other - S).squaredNorm());
    }
}

TEST_CASE("normalizers: softmax reads every key, entmax fewer, sparsemax fewer still") {
    const Matrix S = random_matrix(1, 60, 3);
    const Index entmax = n_read(normalized(operations::entmax_rows, S));
    CHECK(n_read(normalized(operations::softmax_rows, S)) == 60);
    CHECK(entmax < 60);
    CHECK(n_read(normalized(operations::sparsemax_rows, S)) < entmax);
}

TEST_CASE("normalizers: the explanation states the number of keys that are read") {
    const Matrix S{{2, Scalar(1.5), 0, kMasked}};
    const auto finishes = [&](const Operation& normalizer, Index j) {
        const OperationCase use = use_of(normalizer, S, 2);
        std::vector<ConstView> in;
        const Matrix A = use.forward();
        return normalizer.explain(use.call(in), view(A), 0, j).finish;
    };
    CHECK(finishes(operations::sparsemax_rows, 0)[0].what == "− 1, ÷ 2 keys read: τ");
    CHECK(finishes(operations::sparsemax_rows, 2)[0].value == doctest::Approx(1.25));
    CHECK(finishes(operations::entmax_rows, 0)[0].what == "÷ 2 keys read: mean");
    CHECK(finishes(operations::top_k_rows, 2)[0].what == "not one of the 2 largest");
    CHECK(finishes(operations::hard_rows, 0)[0].what == "the largest score of the row");
    CHECK(finishes(operations::hard_rows, 1)[0].what == "the largest score is another key's");
}

}  // namespace headlight::normalizer_operations_test
