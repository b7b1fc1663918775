#include "model/cell_changes.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "core/error.h"
#include "core/numeric/statistics.h"
#include "model/evaluate.h"

namespace headlight::cell_changes_test {
namespace {

const std::string kWeight = "blocks.0.attn.heads.0.W_Q";
const std::string kPattern = "blocks.0.attn.heads.0.pattern";

Trace trace_of(const Document& document) {
    return evaluate(document, nullptr, {.everything = true, .globs = {}});
}

/// The matrix after a change of a range of it.
Matrix after(const CellRange& range, const Change& change, const std::string& path = kWeight) {
    Document document = built_in_sentence();
    const Trace trace = trace_of(document);
    const Tensor& tensor = trace.at(path);
    set_cells(document, tensor, range, changed_cells(tensor, range, change));
    return *trace_of(document).at(path).value;
}

Matrix untouched(const std::string& path = kWeight) {
    return *trace_of(built_in_sentence()).at(path).value;
}

template <typename Act>
std::string error_of(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

const CellRange kSquare{2, 1, 3, 3};

Matrix square_of(const Matrix& matrix) {
    return matrix.block(2, 1, 3, 3);
}

}  // namespace

TEST_CASE("changed_cells: each change does what its name says, and affects no other cell") {
    const Matrix before = square_of(untouched());
    const std::pair<Change, Matrix> cases[] = {
        {{CellChange::Fill, 0.5f}, Matrix::Constant(3, 3, 0.5f)},
        {{CellChange::Shift, 0.25f}, Matrix(before.array() + 0.25f)},
        {{CellChange::Scale, -2}, Matrix(before * -2)},
        {{CellChange::Zero}, Matrix::Zero(3, 3)},
        {{CellChange::Negate}, Matrix(-before)},
        {{CellChange::Identity}, Matrix::Identity(3, 3)},
        {{CellChange::Transpose}, Matrix(before.transpose())}};
    for (const auto& [change, expected] : cases) {
        INFO(change_label(change, "W_Q"));
        Matrix changed = after(kSquare, change);
        CHECK(square_of(changed) == expected);
        changed.block(2, 1, 3, 3) = before;
        CHECK(changed == untouched());
    }
}

TEST_CASE("changed_cells: random cells have the matrix's own deviation; the seed decides them") {
    const CellRange all{0, 0, 32, 8};
    const Matrix first = after(all, {.kind = CellChange::Random, .seed = 7});
    CHECK(first == after(all, {.kind = CellChange::Random, .seed = 7}));
    CHECK(first != after(all, {.kind = CellChange::Random, .seed = 8}));
    const Summary own = summarise(untouched()), drawn = summarise(first);
    CHECK(drawn.deviation == doctest::Approx(own.deviation).epsilon(0.15));
    CHECK(std::abs(drawn.mean) < 0.2f * own.deviation);
}

TEST_CASE("changed_cells: rows of probabilities are normalized, also random ones") {
    const CellRange row{3, 0, 1, 12};
    for (const Change change : {Change{CellChange::Random}, Change{CellChange::Normalise}}) {
        const Matrix changed = after(row, change, kPattern);
        CHECK(changed.row(3).sum() == doctest::Approx(1));
        CHECK(changed.minCoeff() >= 0);
    }
}

TEST_CASE("changed_cells: an impossible change says why") {
    const Trace trace = trace_of(built_in_sentence());
    const Tensor& weight = trace.at(kWeight);
    const auto refusal = [&](const CellRange& range, const Change& change) {
        return error_of([&] { static_cast<void>(changed_cells(weight, range, change)); });
    };
    CHECK(refusal({0, 0, 2, 3}, {CellChange::Transpose}) ==
          "[edit] only a square block can be transposed in place; 2 × 3 cells are chosen");
    CHECK(refusal({30, 0, 3, 3}, {CellChange::Zero}) ==
          "[edit] the cells from row 30, column 0 on, 3 × 3, are not all in "
          "blocks.0.attn.heads.0.W_Q, which is 32 × 8");
    const Scalar huge = std::numeric_limits<Scalar>::max();
    CHECK(refusal({0, 0, 1, 1}, {CellChange::Fill, NAN}) ==
          "[edit] row 0, column 0 would be no number (NaN); nothing was changed");
    const auto refusal_at = [&](Scalar value, const Change& change) {
        Tensor flat = weight;
        flat.value = std::make_shared<const Matrix>(Matrix::Constant(32, 8, value));
        return error_of([&] { static_cast<void>(changed_cells(flat, {4, 4, 1, 2}, change)); });
    };
    CHECK(refusal_at(huge, {CellChange::Scale, 2}) ==
          "[edit] row 4, column 4 would be larger than a number can be (3.4e38); nothing was "
          "changed");
    CHECK(refusal_at(0, {CellChange::Normalise}) ==
          "[edit] row 4 cannot be normalised: its sum is 0");
    CHECK(refusal_at(1, {CellChange::Normalise}) == "");
}

TEST_CASE(
    "set_cells: the cells are sorted, replace former ones, and turn the intervention on again") {
    Document document = built_in_sentence();
    const Trace trace = trace_of(document);
    const Tensor& weight = trace.at(kWeight);
    set_cells(document, weight, {5, 5, 1, 1}, Matrix::Constant(1, 1, 1));
    set_cells(document, weight, {1, 1, 1, 1}, Matrix::Constant(1, 1, 2));
    document.interventions.at(kWeight).is_on = false;
    set_cells(document, weight, {4, 4, 2, 2}, Matrix::Constant(2, 2, 3));
    CHECK(document.interventions.at(kWeight).cells ==
          std::vector<CellValue>{{1, 1, 2}, {4, 4, 3}, {4, 5, 3}, {5, 4, 3}, {5, 5, 3}});
    CHECK(document.interventions.at(kWeight).is_on);
    reset_cells(document, weight, {4, 0, 2, 8});
    CHECK(document.interventions.at(kWeight).cells == std::vector<CellValue>{{1, 1, 2}});
    reset_cells(document, weight, {0, 0, 32, 8});
    CHECK(document == built_in_sentence());
}

TEST_CASE("set_cells: the rest of a row of probabilities is scaled, but not if there is none") {
    Document document = built_in_sentence();
    const Trace trace = trace_of(document);
    const Tensor& pattern = trace.at(kPattern);
    set_cells(document, pattern, {0, 0, 2, 2}, Matrix::Constant(2, 2, 0.25f));
    CHECK(document.interventions.at(kPattern).rows == RowRule::Renormalise);
    Document rows = built_in_sentence();
    set_cells(rows, pattern, {0, 0, 1, 12}, Matrix::Constant(1, 12, 0.5f));
    CHECK(rows.interventions.at(kPattern).rows == RowRule::Keep);
}

TEST_CASE(
    "Intervention: switched off it has no effect, and switched on it has the same effect again") {
    Document document = built_in_sentence();
    const Trace before = trace_of(document);
    set_cells(document, before.at(kWeight), {0, 0, 2, 2}, Matrix::Constant(2, 2, 3));
    const Matrix on = *trace_of(document).at(kPattern).value;
    document.interventions.at(kWeight).is_on = false;
    CHECK(*trace_of(document).at(kPattern).value == *before.at(kPattern).value);
    document.interventions.at(kWeight).is_on = true;
    CHECK(*trace_of(document).at(kPattern).value == on);
    CHECK(on != *before.at(kPattern).value);
}

}  // namespace headlight::cell_changes_test
