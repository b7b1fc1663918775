#include "core/intervention.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::intervention_test {
namespace {

const Matrix kPattern = Matrix{{0.5, 0.25, 0.25}, {0.125, 0.75, 0.125}};

Matrix with(std::vector<CellValue> cells, RowRule rows, const Matrix& computed = kPattern) {
    return apply_intervention({.cells = std::move(cells), .rows = rows}, computed);
}

bool rows_sum_to_1(const Matrix& values) {
    return ((values.rowwise().sum().array() - 1).abs() < 1e-6).all();
}

}  // namespace

TEST_CASE("Intervention: cells are sorted, with one entry each") {
    Intervention intervention;
    intervention.set(1, 2, 5);
    intervention.set(0, 3, 4);
    intervention.set(1, 0, 3);
    intervention.set(1, 2, 6);
    CHECK(intervention.cells == std::vector<CellValue>{{0, 3, 4}, {1, 0, 3}, {1, 2, 6}});
    REQUIRE(intervention.find(1, 0));
    CHECK(intervention.find(1, 0)->value == 3);
    CHECK(intervention.find(1, 1) == nullptr);
    CHECK(intervention.find(2, 0) == nullptr);
    intervention.reset(1, 0);
    intervention.reset(7, 7);
    CHECK(intervention.find(1, 0) == nullptr);
    CHECK(intervention.cells.size() == 2);
}

TEST_CASE("Intervention: NaN is an error, −∞ is a mask") {
    Intervention intervention;
    CHECK(error_of([&] { intervention.set(0, 0, std::numeric_limits<Scalar>::quiet_NaN()); }) ==
          "[edit] a cell cannot be set to NaN; enter a number, or −inf to mask");
    CHECK(intervention.cells.empty());
    intervention.set(0, 0, kMasked);
    CHECK(intervention.find(0, 0)->value == kMasked);
}

TEST_CASE("intervene_on_all: every cell, in order") {
    const Intervention intervention = intervene_on_all(kPattern);
    CHECK(intervention.cells.size() == 6);
    Intervention same;
    for (Index j = 2; j >= 0; --j)
        for (Index i = 0; i < 2; ++i) same.set(i, j, kPattern(i, j));
    CHECK(intervention == same);
    CHECK(is_same(apply_intervention(intervention, Matrix::Zero(2, 3)), kPattern));
    CHECK(intervene_on_all(Matrix(0, 1)).cells.empty());
}

TEST_CASE("apply_intervention: without cells the matrix stays the same") {
    CHECK(is_same(with({}, RowRule::Keep), kPattern));
    CHECK(is_same(with({}, RowRule::Renormalise), kPattern));
}

TEST_CASE("apply_intervention, keep: the other cells keep their values") {
    CHECK(is_same(with({{0, 1, 0.75}}, RowRule::Keep),
                  Matrix{{0.5, 0.75, 0.25}, {0.125, 0.75, 0.125}}));
}

TEST_CASE("apply_intervention, renormalize: the free cells share what is left") {
    CHECK(is_same(with({{0, 1, 0.625}}, RowRule::Renormalise),
                  Matrix{{0.25, 0.625, 0.125}, {0.125, 0.75, 0.125}}));
    CHECK(is_same(with({{0, 0, 0.5}, {0, 2, 0.25}, {1, 1, 0.5}}, RowRule::Renormalise),
                  Matrix{{0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}}));
    CHECK(
        is_same(with({{0, 1, 0}}, RowRule::Renormalise).row(0),
                Matrix{{Scalar(0.5) * (1 / Scalar(0.75)), 0, Scalar(0.25) * (1 / Scalar(0.75))}}));
}

TEST_CASE("apply_intervention, renormalize: without room for others, the set cells share the row") {
    CHECK(is_same(with({{0, 1, 4}}, RowRule::Renormalise).row(0), Matrix{{0, 1, 0}}));
    CHECK(is_same(with({{0, 0, 3}, {0, 2, 1}}, RowRule::Renormalise).row(0),
                  Matrix{{0.75, 0, 0.25}}));
}

TEST_CASE("apply_intervention, renormalize: without free cells, the set cells share the row") {
    const Matrix masked = Matrix::Zero(1, 3);
    CHECK(is_same(with({{0, 1, 0.25}}, RowRule::Renormalise, masked), Matrix{{0, 1, 0}}));
    CHECK(is_same(with({{0, 0, 0.25}, {0, 1, 0.25}}, RowRule::Renormalise, masked),
                  Matrix{{0.5, 0.5, 0}}));
    CHECK(is_same(with({{0, 1, 0}}, RowRule::Renormalise, masked), masked));
}

TEST_CASE(
    "apply_intervention, renormalize: the row sums to 1 even beside a cell that has nearly "
    "everything") {
    const Matrix sharp{{Scalar(1e-9), 1, Scalar(3e-9), Scalar(2e-20)}};
    const Matrix held = with({{0, 1, 0.5}}, RowRule::Renormalise, sharp);
    CHECK(rows_sum_to_1(held));
    CHECK(held(0, 2) == doctest::Approx(3 * held(0, 0)));
    CHECK_FALSE(rows_sum_to_1(with({{0, 1, 0.5}}, RowRule::Keep, sharp)));
}

TEST_CASE("apply_intervention: cells outside the matrix are ignored") {
    for (const RowRule rows : {RowRule::Keep, RowRule::Renormalise}) {
        CHECK(is_same(with({{0, 3, 9}, {2, 0, 9}, {7, 7, 9}}, rows), kPattern));
        CHECK(is_same(with({{0, 0, 9}}, rows, Matrix(0, 1)), Matrix(0, 1)));
    }
}

TEST_CASE("apply_intervention: the edges of a node are one row") {
    const Edges edges = make_edges(3, {{0, 1}, {0, 2}, {2, 0}, {2, 1}, {2, 2}});
    const Matrix alpha{{0.5}, {0.5}, {0.25}, {0.25}, {0.5}};
    const Intervention intervention{.cells = {{2, 0, 0.4}, {9, 0, 1}},
                                    .rows = RowRule::Renormalise};
    const Matrix held = apply_intervention(intervention, alpha, &edges);
    CHECK(distance(held, Matrix{{0.5}, {0.5}, {0.4}, {0.2}, {0.4}}) < 1e-6);
}

TEST_CASE("pull_intervention: no gradient passes through a cell set by hand") {
    const Matrix gradient = Matrix::Ones(2, 3);
    const Matrix pulled = pull_intervention({.cells = {{0, 1, 0.75}}}, kPattern, gradient);
    CHECK(is_same(pulled, Matrix{{1, 0, 1}, {1, 1, 1}}));
    const Intervention full{.cells = {{0, 1, 1}}, .rows = RowRule::Renormalise};
    CHECK(is_same(pull_intervention(full, kPattern, gradient), Matrix{{0, 0, 0}, {1, 1, 1}}));
}

}  // namespace headlight::intervention_test
