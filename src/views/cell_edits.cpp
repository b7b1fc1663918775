#include "views/cell_edits.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.h"
#include "figure/color_scale.h"
#include "figure/number_format.h"
#include "model/changes.h"

namespace headlight {
namespace {

constexpr Scalar kByItself = std::numeric_limits<Scalar>::quiet_NaN();

}  // namespace

std::string cell_label(const Trace& trace, const CellPlace& cell) {
    const Tensor& tensor = trace.at(cell.path);
    std::string label = std::string(tensor.name()) + "[";
    label += shown_label(trace, tensor.rows(), cell.row);
    if (tensor.columns().kind != AxisKind::Single)
        label += ", " + shown_label(trace, tensor.columns(), cell.column);
    return label + "]";
}

Edit set_cell_edit(const Trace& trace, const CellPlace& cell, Scalar value,
                   const std::string& gesture) {
    const bool is_leaf = trace.at(cell.path).is_leaf();
    return {(is_leaf ? "Set " : "Pin ") + cell_label(trace, cell) + (is_leaf ? " to " : " at ") +
                format_value(value),
            set_cell_change(trace, cell, value), gesture};
}

std::function<void(Document&)> set_cell_change(const Trace& trace, const CellPlace& cell,
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
    // Where each step has scores of its own, all steps read one mask.
    for (const TensorId id : shown_attention(components, selection)->tensors)
        if (!mask && trace[id].identity().role == Role::Mask) mask = &trace[id];
    return mask && mask->value ? mask : nullptr;
}

bool is_open_pair(const Tensor& mask, CellIndex cell) {
    return (*mask.value)(cell.row, cell.column) != kMasked;
}

Edit mask_edit(const Trace& trace, const Tensor& mask, const MaskStroke& stroke) {
    const Scalar wanted = stroke.opens ? Scalar(0) : kMasked;
    std::vector<CellValue> cells;  // NaN: the mask has the wanted value by itself
    for (const CellIndex& cell : stroke.cells) {
        const bool is_own = (*mask.computed)(cell.row, cell.column) == wanted;
        cells.push_back({mask.first_row() + cell.row, cell.column, is_own ? kByItself : wanted});
    }
    const std::string verb = stroke.opens ? "Unmask " : "Mask ";
    const std::string what =
        stroke.n_painted == 1
            ? fmt::format("{} → {}", shown_label(trace, mask.rows(), stroke.cells.front().row),
                          shown_label(trace, mask.columns(), stroke.cells.front().column))
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

Scalar value_at(const Trace& trace, const CellPlace& cell) {
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

namespace {

std::string span_text(Index first, Index last) {
    return std::to_string(first) + (last > first ? fmt::format("–{}", last) : "");
}

Edit set_edit(std::string label, const ChosenCells& cells, Matrix values) {
    return {.label = std::move(label),
            .change = [tensor = cells.tensor, range = cells.range, values = std::move(values)](
                          Document& document) { set_cells(document, tensor, range, values); }};
}

Matrix chosen_values(const ChosenCells& cells) {
    const CellRange& range = cells.range;
    return cells.tensor.value->block(range.row, range.column, range.rows, range.columns);
}

/// Returns the cells that the numbers fill, beginning with the first chosen cell.
CellRange place_for(const Tensor& tensor, const CellRange& chosen, const Matrix& numbers) {
    CellRange place = chosen;
    if (numbers.size() == 1) return place;
    place.rows = numbers.rows();
    place.columns = numbers.cols();
    const Index n_rows = tensor.rows().size, n_columns = tensor.columns().size;
    if (place.is_within(n_rows, n_columns)) return place;
    throw Error("paste", "the numbers are {}; from row {}, column {} on, {} ({}) has room for {}",
                shape_text(place.rows, place.columns), place.row, place.column, tensor.name(),
                shape_text(n_rows, n_columns),
                shape_text(n_rows - place.row, n_columns - place.column));
}

}  // namespace

std::optional<ChosenCells> chosen_cells(const Trace& trace, const Selection& selection) {
    const auto& held = selection.held().cell;
    const Tensor* tensor = held ? trace.find(held->path) : nullptr;
    if (!tensor || !tensor->value) return std::nullopt;
    const CellRange range = *selection.held_cells();
    if (!range.is_within(tensor->value->rows(), tensor->value->cols())) return std::nullopt;
    return ChosenCells{*tensor, range};
}

ChosenCells need_chosen_cells(const Trace& trace, const Selection& selection) {
    if (const auto cells = chosen_cells(trace, selection)) return *cells;
    throw Error("edit", "no cell is held; click one, or drag over several with Ctrl");
}

namespace {

/// "W_Q[3, 2]", "W_Q[2–4, 0–3]", "W_Q" for all of it.
std::string cells_label(const Trace& trace, const ChosenCells& cells) {
    const auto& [tensor, range] = cells;
    if (range.size() == 1) return cell_label(trace, {tensor.path(), range.row, range.column});
    if (cells.is_matrix()) return std::string(tensor.name());
    std::string label = fmt::format("{}[{}", tensor.name(), span_text(range.row, range.last_row()));
    if (tensor.columns().kind != AxisKind::Single)
        label += ", " + span_text(range.column, range.last_column());
    return label + "]";
}

}  // namespace

std::string cells_in_words(const ChosenCells& cells) {
    const auto& [tensor, range] = cells;
    const auto part = [](const char* one, Index first, Index last, Index size) {
        if (first == 0 && last == size - 1) return fmt::format(", all {}s", one);
        return std::string(", ") + one + (last > first ? "s " : " ") + span_text(first, last);
    };
    if (cells.is_matrix())
        return fmt::format("{}, all {} cells", tensor.name(), format_count(range.size()));
    std::string text =
        std::string(tensor.name()) + part("row", range.row, range.last_row(), tensor.rows().size);
    if (tensor.columns().kind != AxisKind::Single)
        text += part("column", range.column, range.last_column(), tensor.columns().size);
    return fmt::format("{}, {}{}", text, format_count(range.size()),
                       range.size() == 1 ? " cell" : " cells");
}

Edit change_edit(const Trace& trace, const ChosenCells& cells, const Change& change) {
    return {.label = change_label(change, cells_label(trace, cells)),
            .change = [tensor = cells.tensor, range = cells.range, change](Document& document) {
                set_cells(document, tensor, range, changed_cells(tensor, range, change));
            }};
}

Edit pin_edit(const Trace& trace, const ChosenCells& cells) {
    return set_edit("Pin " + cells_label(trace, cells), cells, chosen_values(cells));
}

Edit reset_edit(const Trace& trace, const ChosenCells& cells) {
    return {.label = "Reset " + cells_label(trace, cells),
            .change = [tensor = cells.tensor, range = cells.range](Document& document) {
                reset_cells(document, tensor, range);
            }};
}

Edit step_edit(const Trace& trace, const ChosenCells& cells, Scalar by) {
    Matrix values = chosen_values(cells).array() + by;
    if (cells.tensor.quantity() == Quantity::Probability)
        values = values.cwiseMax(Scalar(0)).cwiseMin(Scalar(1));
    // The values stay multiples of a decimal step: 0.1 plus 0.2 is 0.3.
    const Scalar unit = drag_step(cells.tensor) / 10;
    values = values.unaryExpr([unit](Scalar value) { return rounded_to(value, unit); });
    const std::string label = cells_label(trace, cells);
    const std::string what = cells.range.size() == 1
                                 ? fmt::format("Set {} to {}", label, format_value(values(0, 0)))
                                 : fmt::format("Change {} in steps", label);
    Edit edit = set_edit(what, cells, std::move(values));
    edit.gesture = "steps of " + label;
    return edit;
}

Edit paste_edit(const Trace& trace, const ChosenCells& cells, Selection& selection,
                const std::string& text) {
    const Pick corner = pick_at(trace, cells.tensor, cells.range.row, cells.range.column);
    return {
        .label = fmt::format("Paste into {}", cells.tensor.name()),
        .change = [=, &selection, tensor = cells.tensor, range = cells.range](Document& document) {
            const Matrix numbers = read_numbers(text);
            const CellRange place = place_for(tensor, range, numbers);
            const Matrix values = numbers.size() == 1
                                      ? Matrix::Constant(place.rows, place.columns, numbers(0, 0))
                                      : numbers;
            set_cells(document, tensor, place, values);
            selection.hold_block(corner, place);
        }};
}

std::string copied_text(const ChosenCells& cells, NumbersFormat format) {
    return write_numbers(chosen_values(cells), format);
}

}  // namespace headlight
