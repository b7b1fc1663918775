#include "model/cell_changes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "core/error.h"
#include "core/numeric/generator.h"
#include "core/numeric/statistics.h"
#include "model/settings/setting_text.h"

namespace headlight {
namespace {

std::string cell_place(const CellRange& range, Index i, Index j) {
    return fmt::format("row {}, column {}", range.row + i, range.column + j);
}

/// Returns the group of row i: the tensor's rows that sum to 1 together share one number.
Index row_group(const Tensor& tensor, Index i) {
    const Edges* edges = tensor.row_edges();
    return edges ? edges->row[static_cast<std::size_t>(i)] : i;
}

Matrix normalised(const Tensor& tensor, const CellRange& range, const Matrix& values) {
    Matrix result = values;
    for (Index begin = 0, end = 0; begin < range.rows; begin = end) {
        const Index group = row_group(tensor, range.row + begin);
        while (end < range.rows && row_group(tensor, range.row + end) == group) ++end;
        auto rows = result.middleRows(begin, end - begin);
        const Scalar sum = rows.sum();
        if (!(std::abs(sum) > 0) || !std::isfinite(sum))
            throw Error("edit", "row {} cannot be normalised: its sum is {}", range.row + begin,
                        setting_text(sum));
        rows /= sum;
    }
    return result;
}

Matrix random_cells(const Tensor& tensor, const CellRange& range, std::uint64_t seed) {
    const Scalar natural = summarise(*(tensor.computed ? tensor.computed : tensor.value)).deviation;
    const Scalar deviation = natural > 0 && std::isfinite(natural) ? natural : Scalar(1);
    const SeededNumbers numbers(seed, "by hand:" + tensor.path());
    Matrix values(range.rows, range.columns);
    for (Index i = 0; i < range.rows; ++i)
        for (Index j = 0; j < range.columns; ++j)
            values(i, j) =
                numbers.normal(tensor.first_row() + range.row + i, range.column + j, deviation);
    if (tensor.quantity() != Quantity::Probability) return values;
    return normalised(tensor, range, values.cwiseAbs());
}

Matrix changed_values(const Tensor& tensor, const CellRange& range, const Change& change,
                      const Matrix& values) {
    switch (change.kind) {
        case CellChange::Fill:
            return Matrix::Constant(range.rows, range.columns, change.number);
        case CellChange::Shift:
            return values.array() + change.number;
        case CellChange::Scale:
            return values * change.number;
        case CellChange::Zero:
            return Matrix::Zero(range.rows, range.columns);
        case CellChange::Negate:
            return -values;
        case CellChange::Identity:
            return Matrix::Identity(range.rows, range.columns);
        case CellChange::Transpose:
            if (range.rows != range.columns)
                throw Error("edit",
                            "only a square block can be transposed in place; {} cells are chosen",
                            shape_text(range.rows, range.columns));
            return values.transpose();
        case CellChange::Random:
            return random_cells(tensor, range, change.seed);
        case CellChange::Normalise:
            return normalised(tensor, range, values);
    }
    throw Error("edit", "there is no such change");
}

/// Throws Error if a calculation yields an infinity from a finite number; a cell may only be set to
/// one directly.
void check_result(const Change& change, const CellRange& range, const Matrix& before,
                  const Matrix& after) {
    for (Index i = 0; i < range.rows; ++i)
        for (Index j = 0; j < range.columns; ++j) {
            if (std::isnan(after(i, j)))
                throw Error("edit", "{} would be no number (NaN); nothing was changed",
                            cell_place(range, i, j));
            const bool overflows = std::isinf(after(i, j)) && std::isfinite(before(i, j));
            if (overflows && change.kind != CellChange::Fill &&
                change.kind != CellChange::Transpose)
                throw Error("edit",
                            "{} would be larger than a number can be (3.4e38); nothing was changed",
                            cell_place(range, i, j));
        }
}

void check_range(const Tensor& tensor, const CellRange& range) {
    if (!range.is_within(tensor.rows().size, tensor.columns().size))
        throw Error("edit", "the cells from {} on, {}, are not all in {}, which is {}",
                    cell_place(range, 0, 0), shape_text(range.rows, range.columns), tensor.path(),
                    shape_text(tensor.rows().size, tensor.columns().size));
}

CellRange in_document(const Tensor& tensor, CellRange range) {
    range.row += tensor.first_row();
    return range;
}

}  // namespace

std::span<const NamedChange> cell_changes() {
    static constexpr NamedChange kChanges[] = {
        {CellChange::Fill, "fill with", Operand::Number, "every cell becomes this number"},
        {CellChange::Scale, "scale by", Operand::Number, "every cell times this number"},
        {CellChange::Shift, "shift by", Operand::Number, "every cell plus this number"},
        {CellChange::Zero, "zero", Operand::None, "every cell becomes 0"},
        {CellChange::Negate, "negate", Operand::None, "every cell times −1"},
        {CellChange::Identity, "identity", Operand::None, "1 on the diagonal, else 0"},
        {CellChange::Transpose, "transpose", Operand::None, "rows become columns; of a square"},
        {CellChange::Random, "random", Operand::Seed,
         "new random numbers, as large as the matrix's own"},
        {CellChange::Normalise, "normalise", Operand::None, "each row is divided by its sum"}};
    return kChanges;
}

std::string change_label(const Change& change, const std::string& cells) {
    const std::string number = setting_text(static_cast<float>(change.number));
    switch (change.kind) {
        case CellChange::Fill:
            return fmt::format("Fill {} with {}", cells, number);
        case CellChange::Shift:
            return fmt::format("Shift {} by {}", cells, number);
        case CellChange::Scale:
            return fmt::format("Scale {} by {}", cells, number);
        case CellChange::Zero:
            return "Zero " + cells;
        case CellChange::Negate:
            return "Negate " + cells;
        case CellChange::Identity:
            return fmt::format("Make {} the identity", cells);
        case CellChange::Transpose:
            return "Transpose " + cells;
        case CellChange::Random:
            return fmt::format("Draw {} with seed {}", cells, change.seed);
        case CellChange::Normalise:
            return "Normalise the rows of " + cells;
    }
    return "Change " + cells;
}

Matrix changed_cells(const Tensor& tensor, const CellRange& range, const Change& change) {
    check_range(tensor, range);
    const Matrix before = tensor.value->block(range.row, range.column, range.rows, range.columns);
    Matrix after = changed_values(tensor, range, change, before);
    check_result(change, range, before, after);
    return after;
}

void set_cells(Document& document, const Tensor& tensor, const CellRange& range,
               const Matrix& values) {
    check_range(tensor, range);
    if (values.rows() != range.rows || values.cols() != range.columns)
        throw Error("edit", "{} values do not fit {} cells",
                    shape_text(values.rows(), values.cols()),
                    shape_text(range.rows, range.columns));
    if (values.array().isNaN().any())
        throw Error("edit", "a cell cannot be set to NaN; enter a number, or −inf to mask");
    if ((values.array() == std::numeric_limits<Scalar>::infinity()).any())
        throw Error("edit", "a cell cannot be set to +inf; enter a number, or −inf to mask");
    const CellRange place = in_document(tensor, range);
    std::vector<CellValue> set;
    for (Index i = 0; i < range.rows; ++i)
        for (Index j = 0; j < range.columns; ++j)
            set.push_back({place.row + i, place.column + j, values(i, j)});
    const bool is_new = !document.interventions.contains(tensor.path());
    Intervention& intervention = document.interventions[tensor.path()];
    std::erase_if(intervention.cells.edit(),
                  [&](const CellValue& cell) { return place.contains(cell.row, cell.column); });
    std::vector<CellValue> merged;
    std::merge(intervention.cells.begin(), intervention.cells.end(), set.begin(), set.end(),
               std::back_inserter(merged), [](const CellValue& a, const CellValue& b) {
                   return std::pair(a.row, a.column) < std::pair(b.row, b.column);
               });
    intervention.cells = std::move(merged);
    intervention.is_on = true;
    const bool has_rest = range.columns < tensor.columns().size ||
                          (tensor.row_edges() && range.rows < tensor.rows().size);
    if (is_new && has_rest && tensor.quantity() == Quantity::Probability)
        intervention.rows = RowRule::Renormalise;
}

void reset_cells(Document& document, const Tensor& tensor, const CellRange& range) {
    const auto it = document.interventions.find(tensor.path());
    if (it == document.interventions.end()) return;
    const CellRange place = in_document(tensor, range);
    std::erase_if(it->second.cells.edit(),
                  [&](const CellValue& cell) { return place.contains(cell.row, cell.column); });
    if (it->second.is_empty()) document.interventions.erase(it);
}

}  // namespace headlight
