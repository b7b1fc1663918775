
#include <cmath>
#include <doctest/doctest.h>

#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::position_operations_test {
namespace {

/// As sharp as the numbers are.
const Scalar kClose = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);

Matrix result_of(const Operation& operation, const OperationSettings& settings, Index rows,
                 Index columns, const Matrix* X = nullptr) {
    std::vector<ConstView> in;
    if (X) in.emplace_back(X->data(), X->rows(), X->cols());
    Matrix Y(rows, columns);
    operation.forward({in, settings, rows, columns}, View(Y.data(), rows, columns));
    return Y;
}

Matrix rotated(const Matrix& X, const OperationSettings& settings = {}) {
    return result_of(operations::rotary, settings, X.rows(), X.cols(), &X);
}

Matrix on_grid(Index rows, Index d, Index grid_columns, Index group_rows = 0) {
    return result_of(operations::sinusoidal_2d, {.count = grid_columns, .group_rows = group_rows},
                     rows, d);
}

Matrix in_line(Index rows, Index d) {
    return result_of(operations::sinusoidal_positions, {}, rows, d);
}

/// Scores of one vector at all positions, rotated.
Matrix scores_of_repeated(Index n, Index d, Index begin) {
    const Matrix Q = random_matrix(1, d, 1).replicate(n, 1);
    const Matrix K = random_matrix(1, d, 2).replicate(n, 1);
    return rotated(Q, {.begin = begin}) * rotated(K, {.begin = begin}).transpose();
}

/// True if every cell depends on its diagonal alone.
bool is_toeplitz(const Matrix& S) {
    const Index n = S.rows() - 1;
    return distance(S.topLeftCorner(n, n), S.bottomRightCorner(n, n)) < 10 * kClose;
}

}  // namespace

TEST_CASE(
    "rotary: the first pair rotates by one radian per step; the last of three columns stays") {
    const Matrix X{{1, 0, 5}, {1, 0, 5}, {0, 2, 5}};
    const Scalar one = 1, two = 2;
    const Matrix expected{
        {1, 0, 5}, {std::cos(one), std::sin(one), 5}, {-2 * std::sin(two), 2 * std::cos(two), 5}};
    CHECK(distance(rotated(X), expected) < kClose);
    CHECK(distance(rotated(X), X) > kClose);
}

TEST_CASE("rotary: pair f rotates by 10000^(−2f/d) per step") {
    const Matrix Y = rotated(Matrix{{1, 0, 1, 0}}, {.begin = 30});
    CHECK(std::abs(Y(0, 2) - std::cos(Scalar(0.3))) < kClose);
    CHECK(std::abs(Y(0, 3) - std::sin(Scalar(0.3))) < kClose);
}

/// Hugging Face's apply_rotary_pos_emb, in double: q cos + rotate_half(q) sin. The angles of cos
/// and sin are those of the first half, twice side by side; rotate_half is (−second half, first
/// half).
Matrix turned_halves(const Matrix& X) {
    const Index n = X.rows(), d = X.cols(), half = d / 2;
    Matrix Y(n, d);
    for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < d; ++c) {
            const double inverse = 1 / std::pow(10000.0, double(2 * (c % half)) / double(d));
            const double angle = double(i) * inverse;
            const double rotated = c < half ? -double(X(i, c + half)) : double(X(i, c - half));
            Y(i, c) = Scalar(double(X(i, c)) * std::cos(angle) + rotated * std::sin(angle));
        }
    return Y;
}

TEST_CASE("rotary: columns half the width apart rotate as in Hugging Face's LLaMA") {
    for (const Index d : {2, 4, 6, 64}) {
        const Matrix X = random_matrix(9, d, 5);
        CHECK(distance(rotated(X, {.step = d / 2}), turned_halves(X)) < kClose);
        if (d > 2) CHECK(distance(rotated(X), turned_halves(X)) > Scalar(0.1));
    }
}

TEST_CASE("rotary: halves equal interleaved pairs with permuted columns") {
    const Index d = 8;
    const Matrix X = random_matrix(5, d, 3);
    Matrix reordered(5, d), back(5, d);
    const auto place = [&](Index c) { return c % 2 * (d / 2) + c / 2; };
    for (Index c = 0; c < d; ++c) reordered.col(place(c)) = X.col(c);
    const Matrix halves = rotated(reordered, {.step = d / 2});
    for (Index c = 0; c < d; ++c) back.col(c) = halves.col(place(c));
    CHECK(is_same(back, rotated(X)));
}

TEST_CASE("rotary: position 0 does not change, and neither does a single column") {
    const Matrix X = random_matrix(1, 6, 1), column = random_matrix(5, 1, 2);
    CHECK(is_same(rotated(X), X));
    CHECK(is_same(rotated(column), column));
}

TEST_CASE("rotary: norms do not change") {
    for (const Index d : {1, 2, 5, 8}) {
        const Matrix X = random_matrix(6, d, 1);
        const Matrix Y = rotated(X, {.begin = 100});
        CHECK(distance(Y.rowwise().norm(), X.rowwise().norm()) < kClose);
    }
}

TEST_CASE("rotary: scores depend on i − j alone") {
    for (const Index d : {2, 5, 8}) {
        const Matrix S = scores_of_repeated(6, d, 0);
        CHECK(is_toeplitz(S));
        CHECK(distance(S, scores_of_repeated(6, d, 11)) < 10 * kClose);
    }
    Matrix wrong = scores_of_repeated(6, 8, 0);
    wrong(2, 3) += Scalar(0.01);
    CHECK_FALSE(is_toeplitz(wrong));
}

TEST_CASE("rotary: rotating one row at its position gives that row of the whole, bit for bit") {
    const Matrix X = random_matrix(9, 7, 1);
    const Matrix whole = rotated(X);
    for (Index t = 0; t < X.rows(); ++t)
        CHECK(is_same(rotated(X.row(t), {.begin = t}), whole.row(t)));
}

TEST_CASE("rotary: each stacked sentence counts from 0") {
    const Matrix X = random_matrix(6, 4, 1);
    const Matrix Y = rotated(X, {.group_rows = 3});
    CHECK(is_same(Y.topRows(3), rotated(X.topRows(3))));
    CHECK(is_same(Y.bottomRows(3), rotated(X.bottomRows(3))));
}

TEST_CASE("sinusoidal_2d: one half encodes the row, the other the column") {
    const Index width = 4, height = 3;
    for (const Index d : {1, 2, 7, 8}) {
        const Matrix P = on_grid(width * height, d, width);
        const Index half = (d + 1) / 2;
        const Matrix rows = in_line(height, half), columns = in_line(width, d - half);
        for (Index i = 0; i < P.rows(); ++i) {
            CHECK(distance(P.row(i).head(half), rows.row(i / width)) < kClose);
            CHECK(distance(P.row(i).tail(d - half), columns.row(i % width)) < kClose);
        }
    }
    CHECK(distance(on_grid(4, 4, 2), in_line(4, 4)) > Scalar(0.1));
}

TEST_CASE("sinusoidal_2d: every stacked image starts at its corner") {
    const Matrix P = on_grid(8, 6, 2, 4);
    CHECK(is_same(P.topRows(4), P.bottomRows(4)));
    CHECK(is_same(P.topRows(4), on_grid(4, 6, 2)));
}

}  // namespace headlight::position_operations_test
