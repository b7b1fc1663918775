#include "core/hold.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::hold_test {
namespace {

const Matrix kPattern = Matrix{{0.5, 0.25, 0.25}, {0.125, 0.75, 0.125}};

Matrix with(std::vector<HeldCell> cells, RowRule rows, const Matrix& computed = kPattern) {
    return apply_hold({.cells = std::move(cells), .rows = rows}, computed);
}

bool rows_sum_to_1(const Matrix& values) {
    return ((values.rowwise().sum().array() - 1).abs() < 1e-6).all();
}

}  // namespace

TEST_CASE("Hold: cells stay sorted, one entry a cell") {
    Hold hold;
    hold.set(1, 2, 5);
    hold.set(0, 3, 4);
    hold.set(1, 0, 3);
    hold.set(1, 2, 6);
    CHECK(hold.cells == std::vector<HeldCell>{{0, 3, 4}, {1, 0, 3}, {1, 2, 6}});
    REQUIRE(hold.find(1, 0));
    CHECK(hold.find(1, 0)->value == 3);
    CHECK(hold.find(1, 1) == nullptr);
    CHECK(hold.find(2, 0) == nullptr);
    hold.reset(1, 0);
    hold.reset(7, 7);
    CHECK(hold.find(1, 0) == nullptr);
    CHECK(hold.cells.size() == 2);
}

TEST_CASE("Hold: NaN is an error, −∞ is a mask") {
    Hold hold;
    CHECK(error_of([&] { hold.set(0, 0, std::numeric_limits<Scalar>::quiet_NaN()); }) ==
          "[edit] a cell cannot be set to NaN; enter a number, or −inf to mask");
    CHECK(hold.cells.empty());
    hold.set(0, 0, kMasked);
    CHECK(hold.find(0, 0)->value == kMasked);
}

TEST_CASE("hold_all: every cell, in order") {
    const Hold hold = hold_all(kPattern);
    CHECK(hold.cells.size() == 6);
    Hold same;
    for (Index j = 2; j >= 0; --j)
        for (Index i = 0; i < 2; ++i) same.set(i, j, kPattern(i, j));
    CHECK(hold == same);
    CHECK(is_same(apply_hold(hold, Matrix::Zero(2, 3)), kPattern));
    CHECK(hold_all(Matrix(0, 1)).cells.empty());
}

TEST_CASE("apply_hold: without held cells the matrix is as it was") {
    CHECK(is_same(with({}, RowRule::Keep), kPattern));
    CHECK(is_same(with({}, RowRule::Renormalise), kPattern));
}

TEST_CASE("apply_hold, keep: the other cells keep their values") {
    CHECK(is_same(with({{0, 1, 0.75}}, RowRule::Keep),
                  Matrix{{0.5, 0.75, 0.25}, {0.125, 0.75, 0.125}}));
}

TEST_CASE("apply_hold, renormalise: the free cells share what is left") {
    CHECK(is_same(with({{0, 1, 0.625}}, RowRule::Renormalise),
                  Matrix{{0.25, 0.625, 0.125}, {0.125, 0.75, 0.125}}));
    CHECK(is_same(with({{0, 0, 0.5}, {0, 2, 0.25}, {1, 1, 0.5}}, RowRule::Renormalise),
                  Matrix{{0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}}));
    CHECK(
        is_same(with({{0, 1, 0}}, RowRule::Renormalise).row(0),
                Matrix{{Scalar(0.5) * (1 / Scalar(0.75)), 0, Scalar(0.25) * (1 / Scalar(0.75))}}));
}

TEST_CASE("apply_hold, renormalise: no room left, the held cells share the row") {
    CHECK(is_same(with({{0, 1, 4}}, RowRule::Renormalise).row(0), Matrix{{0, 1, 0}}));
    CHECK(is_same(with({{0, 0, 3}, {0, 2, 1}}, RowRule::Renormalise).row(0),
                  Matrix{{0.75, 0, 0.25}}));
}

TEST_CASE("apply_hold, renormalise: nothing free, the held cells share the row") {
    const Matrix masked = Matrix::Zero(1, 3);
    CHECK(is_same(with({{0, 1, 0.25}}, RowRule::Renormalise, masked), Matrix{{0, 1, 0}}));
    CHECK(is_same(with({{0, 0, 0.25}, {0, 1, 0.25}}, RowRule::Renormalise, masked),
                  Matrix{{0.5, 0.5, 0}}));
    CHECK(is_same(with({{0, 1, 0}}, RowRule::Renormalise, masked), masked));
}

TEST_CASE("apply_hold, renormalise: the row sums to 1 even beside a cell that had nearly all") {
    const Matrix sharp{{Scalar(1e-9), 1, Scalar(3e-9), Scalar(2e-20)}};
    const Matrix held = with({{0, 1, 0.5}}, RowRule::Renormalise, sharp);
    CHECK(rows_sum_to_1(held));
    CHECK(held(0, 2) == doctest::Approx(3 * held(0, 0)));
    CHECK_FALSE(rows_sum_to_1(with({{0, 1, 0.5}}, RowRule::Keep, sharp)));
}

TEST_CASE("apply_hold: cells outside the matrix are ignored") {
    for (const RowRule rows : {RowRule::Keep, RowRule::Renormalise}) {
        CHECK(is_same(with({{0, 3, 9}, {2, 0, 9}, {7, 7, 9}}, rows), kPattern));
        CHECK(is_same(with({{0, 0, 9}}, rows, Matrix(0, 1)), Matrix(0, 1)));
    }
}

TEST_CASE("apply_hold: the edges of a node are one row") {
    const Edges edges = make_edges(3, {{0, 1}, {0, 2}, {2, 0}, {2, 1}, {2, 2}});
    const Matrix alpha{{0.5}, {0.5}, {0.25}, {0.25}, {0.5}};
    const Hold hold{.cells = {{2, 0, 0.4}, {9, 0, 1}}, .rows = RowRule::Renormalise};
    const Matrix held = apply_hold(hold, alpha, &edges);
    CHECK(distance(held, Matrix{{0.5}, {0.5}, {0.4}, {0.2}, {0.4}}) < 1e-6);
}

TEST_CASE("pull_hold: nothing gets through a held cell") {
    const Matrix gradient = Matrix::Ones(2, 3);
    const Matrix pulled = pull_hold({.cells = {{0, 1, 0.75}}}, kPattern, gradient);
    CHECK(is_same(pulled, Matrix{{1, 0, 1}, {1, 1, 1}}));
    const Hold full{.cells = {{0, 1, 1}}, .rows = RowRule::Renormalise};
    CHECK(is_same(pull_hold(full, kPattern, gradient), Matrix{{0, 0, 0}, {1, 1, 1}}));
}

}  // namespace headlight::hold_test
