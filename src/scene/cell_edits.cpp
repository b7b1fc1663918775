#include "scene/cell_edits.h"

#include <algorithm>
#include <cmath>

#include "model/changes.h"
#include "paint/color_scale.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

constexpr Scalar kByItself = std::numeric_limits<Scalar>::quiet_NaN();

}  // namespace

std::string cell_label(const Trace& trace, const PointedCell& cell) {
    const Tensor& tensor = trace.at(cell.path);
    std::string label = std::string(tensor.name()) + "[";
    label += shown_label(trace, tensor.rows(), cell.row);
    if (tensor.columns().kind != AxisKind::Single)
        label += ", " + shown_label(trace, tensor.columns(), cell.column);
    return label + "]";
}

Edit set_cell_edit(const Trace& trace, const PointedCell& cell, Scalar value,
                   const std::string& gesture) {
    const bool is_leaf = trace.at(cell.path).is_leaf();
    return {(is_leaf ? "Set " : "Pin ") + cell_label(trace, cell) + (is_leaf ? " to " : " at ") +
                format_value(value),
            set_cell_change(trace, cell, value), gesture};
}

std::function<void(Document&)> set_cell_change(const Trace& trace, const PointedCell& cell,
                                               Scalar value) {
    const Tensor& tensor = trace.at(cell.path);
    const bool is_probability = tensor.quantity() == Quantity::Probability;
    return [cell, value, is_probability, row = tensor.first_row() + cell.row](Document& document) {
        const bool is_new = !document.interventions.contains(cell.path);
        set_cell(document, cell.path, row, cell.column, value);
        if (is_new && is_probability) document.interventions[cell.path].rows = RowRule::Renormalise;
    };
}

const Tensor* shown_mask(const Trace& trace, const Components& components,
                         const Selection& selection) {
    const Tensor* pattern = shown_pattern(trace, components, selection);
    if (!pattern) return nullptr;
    if (!trace.find(pattern->identity().at(Role::MaskedScores).path)) return nullptr;
    const Tensor* mask = find_mask(trace, *pattern);
    // Where each step has scores of its own, all read one mask.
    for (const TensorId id : shown_attention(components, selection)->tensors)
        if (!mask && trace[id].identity().role == Role::Mask) mask = &trace[id];
    return mask && mask->value ? mask : nullptr;
}

Pairs pairs_at(const Tensor& mask, CellIndex cell) {
    return (*mask.value)(cell.row, cell.column) == kMasked ? Pairs::Closed : Pairs::Open;
}

Edit mask_edit(const Trace& trace, const Tensor& mask, const MaskStroke& stroke) {
    const Scalar wanted = stroke.pairs == Pairs::Closed ? kMasked : Scalar(0);
    std::vector<CellValue> cells;  // NaN: the mask has the wanted value by itself
    for (const CellIndex& cell : stroke.cells) {
        const bool is_own = (*mask.computed)(cell.row, cell.column) == wanted;
        cells.push_back({mask.first_row() + cell.row, cell.column, is_own ? kByItself : wanted});
    }
    const std::string verb = stroke.pairs == Pairs::Closed ? "Mask " : "Unmask ";
    const std::string what =
        stroke.n_painted == 1 ? shown_label(trace, mask.rows(), stroke.cells.front().row) + " → " +
                                    shown_label(trace, mask.columns(), stroke.cells.front().column)
                              : format_count(stroke.n_painted) + " pairs";
    const auto change = [=, path = mask.path()](Document& document) {
        for (const CellValue& cell : cells)
            if (std::isnan(cell.value))
                reset_cell(document, path, cell.row, cell.column);
            else
                set_cell(document, path, cell.row, cell.column, cell.value);
    };
    return {verb + what, change, stroke.gesture};
}

Scalar value_at(const Trace& trace, const PointedCell& cell) {
    const Tensor& tensor = trace.at(cell.path);
    return tensor.value ? (*tensor.value)(cell.row, cell.column) : Scalar(0);
}

Scalar drag_step(const Tensor& tensor) {
    if (tensor.quantity() == Quantity::Probability) return Scalar(0.005);
    const Scalar limit = tensor.value ? symmetric_limit(*tensor.value) : Scalar(1);
    return std::pow(Scalar(10), std::floor(std::log10(limit / 50)));
}

Scalar cell_step(const Tensor& tensor) {
    return 10 * drag_step(tensor);
}

Scalar rounded_to(Scalar value, Scalar unit) {
    const Scalar in_one = std::round(1 / unit);
    return unit < 1 ? std::round(value * in_one) / in_one : std::round(value / unit) * unit;
}

}  // namespace headlight
