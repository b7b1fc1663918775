#include "core/explain.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/compute.h"
#include "core/error.h"
#include "core/plan.h"

namespace headlight {
namespace {

/// Adds the step from the computed cell to the one set by hand, if there is one.
void finish_intervention(Explanation& explanation, const Tensor& tensor, const Matrix& value,
                         Index row, Index column) {
    if (const CellValue* cell = tensor.intervention.find(row, column)) {
        const char* what = tensor.is_leaf() ? "set by hand to" : "pinned to";
        explanation.finish.push_back({what, cell->value});
        if (cell->value != value(row, column))
            explanation.finish.push_back(
                {"scaled: the pins of the row leave the other cells no share", value(row, column)});
        return;
    }
    if (tensor.intervention.ablation == Ablation::Zero)
        explanation.finish.push_back({"ablated: zero", value(row, column)});
    if (tensor.intervention.ablation == Ablation::Mean)
        explanation.finish.push_back({"ablated: the mean of the column", value(row, column)});
    if (std::ssize(tensor.intervention.added) == value.cols())
        explanation.finish.push_back({"with the added vector", value(row, column)});
    const Edges* edges = tensor.row_edges();
    const auto in_row = [&](const CellValue& cell) {
        if (cell.row >= value.rows() || cell.column >= value.cols()) return false;
        if (!edges) return cell.row == row;
        return edges->row[static_cast<std::size_t>(cell.row)] ==
               edges->row[static_cast<std::size_t>(row)];
    };
    if (tensor.intervention.rows == RowRule::Renormalise &&
        std::any_of(tensor.intervention.cells.begin(), tensor.intervention.cells.end(), in_row))
        explanation.finish.push_back(
            {"scaled, so that the row with its pin sums to 1", value(row, column)});
}

}  // namespace

Explanation explain(const Trace& trace, TensorId id, Index row, Index column) {
    const Tensor& tensor = trace[id];
    if (row < 0 || row >= tensor.rows().size || column < 0 || column >= tensor.columns().size)
        throw Error("explain", "cell {}, {} is outside {}, which is {}", row, column, tensor.path(),
                    shape_text(tensor.rows().size, tensor.columns().size));
    const Workings workings(trace, id);
    Explanation explanation =
        tensor.operation()->explain(workings.call(), view(*workings.computed()), row, column);
    // Added up in another order than the operation uses, the result may differ in the last places.
    Scalar& end = explanation.finish.empty() ? explanation.sum : explanation.finish.back().value;
    end = (*workings.computed())(row, column);
    finish_intervention(explanation, tensor, *workings.value(), row, column);
    return explanation;
}

namespace {

template <typename Label>
std::string name_of_cell(const Trace& trace, TensorId id, Index row, Index column, Label label) {
    const Tensor& tensor = trace[id];
    std::string name = tensor.symbol();
    std::erase_if(name, [](char c) { return c == '{' || c == '}'; });
    if (name.find(' ') != std::string::npos) name = fmt::format("({})", name);
    name += "(" + label(trace, tensor.rows(), row);
    if (tensor.columns().kind != AxisKind::Single)
        name += ", " + label(trace, columns_of_row(trace, tensor, row), column);
    return name + ")";
}

/// True if the label has letters of U+0580 … U+07FF, by their first byte in UTF-8.
bool has_hebrew_or_arabic(const std::string& label) {
    return std::ranges::any_of(label, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0xD6 && byte <= 0xDF;
    });
}

}  // namespace

std::string cell_name(const Trace& trace, TensorId id, Index row, Index column) {
    return name_of_cell(trace, id, row, column, axis_label);
}

std::string shown_cell_name(const Trace& trace, TensorId id, Index row, Index column) {
    return name_of_cell(trace, id, row, column, [](const auto&... of) {
        const std::string label = shown_label(of...);
        return has_hebrew_or_arabic(label) ? fmt::format("\u2068{}\u2069", label) : label;
    });
}

}  // namespace headlight
