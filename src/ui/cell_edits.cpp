#include "ui/cell_edits.h"

#include <cmath>

#include "model/edits.h"
#include "paint/color_scale.h"
#include "paint/number_format.h"

namespace headlight {

std::string cell_label(const Trace& trace, const PointedCell& cell) {
    const Tensor& tensor = trace.at(cell.path);
    std::string label = cell.path.substr(cell.path.rfind('.') + 1) + "[";
    label += axis_label(trace, tensor.rows, cell.row);
    if (tensor.columns.kind != AxisKind::Single)
        label += ", " + axis_label(trace, tensor.columns, cell.column);
    return label + "]";
}

void push_set_cell(PanelContext& context, const PointedCell& cell, Scalar value,
                   const std::string& gesture) {
    const Tensor& tensor = context.trace->at(cell.path);
    const bool is_probability = tensor.quantity == Quantity::Probability;
    const std::string label = (tensor.is_leaf() ? "Set " : "Pin ") +
                              cell_label(*context.trace, cell) +
                              (tensor.is_leaf() ? " to " : " at ") + format_value(value);
    context.edits.push(
        label,
        [cell, value, is_probability](Document& document) {
            const bool is_new = !document.holds.contains(cell.path);
            set_cell(document, cell.path, cell.row, cell.column, value);
            if (is_new && is_probability) document.holds[cell.path].rows = RowRule::Renormalise;
        },
        gesture);
}

void push_reset_cell(PanelContext& context, const PointedCell& cell) {
    context.edits.push("Reset " + cell_label(*context.trace, cell), [cell](Document& document) {
        reset_cell(document, cell.path, cell.row, cell.column);
    });
}

void push_toggle_mask(PanelContext& context, Index query, Index key) {
    const Trace& trace = *context.trace;
    const Tensor* mask = trace.find("mask");
    if (!mask || !mask->value) return;
    const bool is_open = (*mask->value)(query, key) != kMasked;
    const Axis items{AxisKind::Item, mask->rows.size};
    const Scalar computed = (*mask->computed)(query, key);
    const Scalar wanted = is_open ? kMasked : Scalar(0);
    context.edits.push((is_open ? "Mask " : "Unmask ") + axis_label(trace, items, query) + " → " +
                           axis_label(trace, items, key),
                       [=](Document& document) {
                           if (computed == wanted)
                               reset_cell(document, "mask", query, key);
                           else
                               set_cell(document, "mask", query, key, wanted);
                       });
}

Scalar value_at(const Trace& trace, const PointedCell& cell) {
    const Tensor& tensor = trace.at(cell.path);
    return tensor.value ? (*tensor.value)(cell.row, cell.column) : Scalar(0);
}

Scalar drag_step(const Tensor& tensor) {
    if (tensor.quantity == Quantity::Probability) return Scalar(0.005);
    const Scalar limit = tensor.value ? symmetric_limit(*tensor.value) : Scalar(1);
    return std::pow(Scalar(10), std::floor(std::log10(limit / 50)));
}

}  // namespace headlight
