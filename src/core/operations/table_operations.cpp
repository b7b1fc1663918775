#include "core/operations/table_operations.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace headlight::operations {
namespace {

Explanation of_cell(std::string rule, CellRef cell) {
    return {
        .rule = std::move(rule), .terms = {{{cell}, cell.value}}, .sum = cell.value, .finish = {}};
}

/// Returns the index nearest to a number: kNoRow for kNoRow, nothing if it is no index below
/// `count`.
std::optional<Index> named_index(Scalar number, Index count) {
    if (!(number > Scalar(-1.5) && number < static_cast<Scalar>(count) - Scalar(0.5)))
        return std::nullopt;
    return static_cast<Index>(std::floor(number + Scalar(0.5)));
}

constexpr Scalar kNaN = std::numeric_limits<Scalar>::quiet_NaN();

/// Returns the row of the table that row i of the call names; where sentences are stacked, that of
/// its own sentence.
std::optional<Index> named_row(const Call& call, Index i) {
    const Index group_rows = call.settings.group_rows;
    const std::optional<Index> row =
        named_index(call[0](i, 0), group_rows == 0 ? call[1].rows() : group_rows);
    if (!row || *row == kNoRow) return row;
    return (call.first_row + i) * group_rows + *row;
}

void look_up_rows_forward(const Call& call, View Y) {
    for (Index i = 0; i < call.rows; ++i) {
        const std::optional<Index> from = named_row(call, i);
        if (from && *from != kNoRow)
            Y.row(i) = call[1].row(*from);
        else
            Y.row(i).setConstant(from ? Scalar(0) : kNaN);
    }
}

void look_up_rows_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index i = 0; i < call.rows; ++i)
        if (const auto from = named_row(call, i); from && *from != kNoRow)
            into[1].row(*from) += gradient.row(i);
}

Explanation look_up_rows_explain(const Call& call, ConstView Y, Index i, Index d) {
    const std::optional<Index> from = named_row(call, i);
    if (from && *from != kNoRow)
        return of_cell(fmt::format("row {}", *from), {1, *from, d, Y(i, d)});
    Explanation e;
    e.rule = "W(t(i))";
    e.finish = {{from ? "padding has no row" : "the table has no such row", Y(i, d)}};
    return e;
}

std::optional<Index> picked_column(const Call& call, Index row, Index j) {
    return named_index(call[1]((call.first_row + row) * call.columns + j, 0), call[0].cols());
}

void pick_columns_forward(const Call& call, View S) {
    for (Index g = 0; g < call.rows; ++g)
        for (Index j = 0; j < call.columns; ++j) {
            const std::optional<Index> from = picked_column(call, g, j);
            S(g, j) = !from ? kNaN : *from == kNoRow ? kMasked : call[0](g, *from);
        }
}

void pick_columns_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index g = 0; g < call.rows; ++g)
        for (Index j = 0; j < call.columns; ++j)
            if (const auto from = picked_column(call, g, j); from && *from != kNoRow)
                into[0](g, *from) += gradient(g, j);
}

Explanation pick_columns_explain(const Call& call, ConstView S, Index g, Index j) {
    const std::optional<Index> from = picked_column(call, g, j);
    if (from && *from != kNoRow)
        return of_cell(fmt::format("column t(j) = {}", *from), {0, g, *from, S(g, j)});
    Explanation e;
    e.rule = "L(g, t(j))";
    e.finish = {{from ? "padding is no word" : "there is no such column", S(g, j)}};
    return e;
}

}  // namespace

const Operation look_up_rows{
    "look up rows",    {"Embeddings", "Each {item} takes its row of the table."},
    row_inputs(0),     look_up_rows_forward,
    look_up_rows_pull, look_up_rows_explain};
const Operation pick_rows{
    "pick rows",       {"Its row", "Only the row of the word that is asked about goes on."},
    row_inputs(0),     look_up_rows_forward,
    look_up_rows_pull, look_up_rows_explain};
const Operation pick_columns{
    "pick columns",    {"Its words", "Of the whole vocabulary, the words that the sentence has."},
    row_inputs(0),     pick_columns_forward,
    pick_columns_pull, pick_columns_explain};
std::span<const Operation* const> table_operations() {
    static const Operation* const table[] = {&look_up_rows, &pick_rows, &pick_columns};
    return table;
}

}  // namespace headlight::operations
