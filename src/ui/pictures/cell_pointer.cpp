#include "ui/pictures/cell_pointer.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

#include "figure/color.h"
#include "ui/widgets/widgets.h"
#include "views/held.h"

namespace headlight {
namespace {

constexpr float kDragStart = 4;     // points that the pointer moves before a press is a drag
constexpr float kNamesHeight = 80;  // of the names over the columns, in points

/// Returns the mask that a press on a cell of the tensor paints; null if it paints none.
const Tensor* painted_mask(const PanelContext& context, const Tensor& tensor) {
    const Selection& selection = context.selection;
    if (selection.chosen != tensor.path()) return nullptr;
    if (tensor.quantity() == Quantity::Mask) return tensor.computed ? &tensor : nullptr;
    const Tensor* mask = selection.paints_mask
                             ? shown_mask(*context.trace, context.components, context.selection)
                             : nullptr;
    const bool fits = mask && tensor.rows() == mask->rows() && tensor.columns() == mask->columns();
    return fits ? mask : nullptr;
}

/// Returns the cell under a point, or the nearest one.
CellIndex nearest_cell(const CellGrid& placed, Point at) {
    const auto index = [](float offset, float cell, Index size) {
        return std::clamp<Index>(static_cast<Index>(std::floor(offset / cell)), 0, size - 1);
    };
    return {index(at.y - placed.cells.y, placed.cell_height(), placed.rows),
            index(at.x - placed.cells.x, placed.cell_width(), placed.columns)};
}

/// Returns the cells of a straight stroke, without the first.
std::vector<CellIndex> cells_between(CellIndex from, CellIndex to) {
    const Index rows = to.row - from.row, columns = to.column - from.column;
    const Index n = std::max(std::abs(rows), std::abs(columns));
    std::vector<CellIndex> cells;
    for (Index k = 1; k <= n; ++k) {
        const auto part = [&](Index way) {
            return static_cast<Index>(std::lround(static_cast<double>(way * k) / n));
        };
        cells.push_back({from.row + part(rows), from.column + part(columns)});
    }
    return cells;
}

/// Draws an outline with a light wash around the block at the held cell.
void draw_block(PanelContext& context, const Tensor& tensor, const CellGrid& grid, Point origin) {
    const auto& held = context.selection.held().cell;
    if (!held || held->path != tensor.path()) return;
    const CellRange range = *context.selection.held_cells();
    if (range.size() < 2 || !range.is_within(grid.rows, grid.columns)) return;
    const Box first = grid.cell_box(range.row, range.column);
    const Box block{first.x, first.y, first.width * static_cast<float>(range.columns),
                    first.height * static_cast<float>(range.rows)};
    Figure figure;
    figure.add(RectMark{block, faded(context.theme.accent, 0.14), context.theme.accent, 2, 0});
    const Box seen = grid.seen();
    const ImVec2 low{origin.x + seen.x, origin.y + seen.y};
    ImGui::PushClipRect(low, {low.x + seen.width, low.y + seen.height}, true);
    context.painter.draw(figure, origin);
    ImGui::PopClipRect();
}

}  // namespace

void CellPointer::point(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                        Point origin) {
    const CellGrid placed = grid.moved(origin);
    context.regions.add_grid(tensor.path(), placed);
    draw_block(context, tensor, grid, origin);

    // The button came up while the pressed picture was gone.
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
        !ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        press_.reset();
    if (press_ && press_->cell.path == tensor.path()) return drag(context, tensor, placed);
    if (press_) return;
    const auto at = grid.cell_at(widgets::pointer_in(origin));
    if (!at) return;
    const CellPlace cell{tensor.path(), at->row, at->column};
    const Pick pick = pick_at(*context.trace, tensor, cell.row, cell.column);
    context.selection.hover(pick);
    const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Right);
    const bool is_asked = ImGui::IsMouseReleased(ImGuiMouseButton_Right) && moved.x == 0 &&
                          moved.y == 0;  // else the picture was moved
    if (is_asked && tensor.quantity() != Quantity::Mask) {
        context.selection.keep_held(pick);
        context.requests.animation.ask({cell});
    }
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !painted_mask(context, tensor)) {
        context.selection.keep_held(pick);
        context.requests.type();
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        press(context, tensor, cell);
    }
}

void CellPointer::point_names(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                              Point origin) {
    const Box cells = grid.seen();
    const Box rows{0, cells.y, cells.x, cells.height};
    const float height = std::min(cells.y, kNamesHeight);
    const Box columns{cells.x, cells.y - height, cells.width, height};
    for (const auto& [name, area] : {std::pair("row names", rows), {"column names", columns}})
        context.regions.add(name, {origin.x + area.x, origin.y + area.y, area.width, area.height});
    const Point pointer = widgets::pointer_in(origin);
    const bool is_row = rows.contains(pointer);
    if (!ImGui::GetIO().KeyCtrl || press_ || !(is_row || columns.contains(pointer))) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    const CellIndex at = nearest_cell(grid, pointer);
    const CellRange range =
        is_row ? CellRange{at.row, 0, 1, grid.columns} : CellRange{0, at.column, grid.rows, 1};
    context.selection.hold_block(pick_at(*context.trace, tensor, range.row, range.column), range);
    const Tensor* mask = painted_mask(context, tensor);
    if (!mask) return;
    MaskStroke stroke{.opens = !is_open_pair(*mask, {range.row, range.column}),
                      .n_painted = range.size()};
    const CellIndex last{range.last_row(), range.last_column()};
    stroke.cells = cells_between({range.row, range.column}, last);
    stroke.cells.push_back({range.row, range.column});
    context.edits.push(mask_edit(*context.trace, *mask, stroke));
}

void CellPointer::press(PanelContext& context, const Tensor& tensor, const CellPlace& cell) {
    const Scalar value = value_at(*context.trace, cell);
    const CellIndex at{cell.row, cell.column};
    press_ = Press{.cell = cell,
                   .start = std::isfinite(value) ? value : Scalar(0),
                   .start_y = ImGui::GetIO().MousePos.y,
                   .last = at};
    if (ImGui::GetIO().KeyCtrl) {
        press_->gesture = Gesture::Block;
        return context.selection.keep_held(pick_at(*context.trace, tensor, cell.row, cell.column));
    }
    const Tensor* mask = painted_mask(context, tensor);
    if (!mask) return;
    press_->gesture = Gesture::Mask;
    press_->stroke = {
        .cells = {at}, .opens = !is_open_pair(*mask, at), .n_painted = 1, .gesture = "stroke"};
    if (context.selection.paints_mask)
        context.edits.push(mask_edit(*context.trace, *mask, press_->stroke));
}

void CellPointer::drag(PanelContext& context, const Tensor& tensor, const CellGrid& placed) {
    const CellPlace& cell = press_->cell;
    if (cell.row >= tensor.rows().size || cell.column >= tensor.columns().size)
        return press_.reset();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const CellIndex at = press_->gesture == Gesture::Value
                             ? CellIndex{cell.row, cell.column}
                             : nearest_cell(placed, {mouse.x, mouse.y});
    context.selection.hover(pick_at(*context.trace, tensor, at.row, at.column));
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) return release(context, tensor);
    if (press_->gesture == Gesture::Value)
        drag_value(context, tensor);
    else if (!(at == press_->last))
        drag_over(context, tensor, at);
    else if (press_->gesture == Gesture::Mask && !press_->is_drag)
        begin_stroke(context, tensor);
}

/// Begins a stroke, which may end in its first cell. The brush has painted that cell when it was
/// pressed.
void CellPointer::begin_stroke(PanelContext& context, const Tensor& tensor) {
    const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, kDragStart);
    const Tensor* mask = painted_mask(context, tensor);
    if (!mask || context.selection.paints_mask || (moved.x == 0 && moved.y == 0)) return;
    press_->is_drag = true;
    context.edits.push(mask_edit(*context.trace, *mask, press_->stroke));
}

void CellPointer::drag_value(PanelContext& context, const Tensor& tensor) {
    const float up = press_->start_y - ImGui::GetIO().MousePos.y;
    if (!press_->is_drag && std::abs(up) < kDragStart) return;
    if (tensor.quantity() == Quantity::Mask) return;
    press_->is_drag = true;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    const Scalar step = drag_step(tensor) * (ImGui::GetIO().KeyShift ? Scalar(0.1) : Scalar(1));
    Scalar value = std::round((press_->start + static_cast<Scalar>(up) * step) / step) * step;
    if (tensor.quantity() == Quantity::Probability) value = std::clamp(value, Scalar(0), Scalar(1));
    const CellPlace& cell = press_->cell;
    context.selection.keep_held(pick_at(*context.trace, tensor, cell.row, cell.column));
    context.edits.push(set_cell_edit(*context.trace, cell, value, "drag"));
}

void point_at_labels(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                     Point origin) {
    // With Ctrl a name takes a block.
    if (grid.rows == 0 || grid.columns == 0 || ImGui::GetIO().KeyCtrl) return;
    const Box cells = grid.seen();
    const Box rows{0, cells.y, cells.x, cells.height};
    const float height = std::min(cells.y, kNamesHeight);
    const Box columns{cells.x, cells.y - height, cells.width, height};
    const Point pointer = widgets::pointer_in(origin);
    if (is_of_items(tensor.rows())) {
        context.regions.add("labels " + tensor.path(),
                            {origin.x, origin.y + rows.y, rows.width, rows.height});
        if (rows.contains(pointer))
            widgets::point_at_word(context, nearest_cell(grid, pointer).row, tensor.rows().list);
    }
    if (is_of_items(tensor.columns()) && columns.contains(pointer))
        widgets::point_at_word(context, nearest_cell(grid, pointer).column, tensor.columns().list);
}

/// Makes a block grow to the cell under the pointer, or a stroke go there.
void CellPointer::drag_over(PanelContext& context, const Tensor& tensor, CellIndex to) {
    const CellIndex from = std::exchange(press_->last, to);
    const bool was_drag = std::exchange(press_->is_drag, true);
    if (press_->gesture == Gesture::Block) {
        const auto& [path, row, column] = press_->cell;
        return context.selection.hold_block(pick_at(*context.trace, tensor, row, column),
                                            range_between(row, column, to.row, to.column));
    }
    const Tensor* mask = painted_mask(context, tensor);
    if (!mask) return;
    press_->stroke.cells = cells_between(from, to);
    press_->stroke.n_painted += static_cast<Index>(press_->stroke.cells.size());
    const bool is_begun = was_drag || context.selection.paints_mask;
    if (!is_begun) press_->stroke.cells.push_back(from);
    context.edits.push(mask_edit(*context.trace, *mask, press_->stroke));
}

void CellPointer::release(PanelContext& context, const Tensor& tensor) {
    Press press = *std::exchange(press_, {});
    // Without the brush the press was no stroke.
    if (press.gesture == Gesture::Mask && !press.is_drag && !context.selection.paints_mask)
        press.gesture = Gesture::Value;
    const Pick pick = pick_at(*context.trace, tensor, press.cell.row, press.cell.column);
    if (press.gesture == Gesture::Mask) context.selection.keep_held(pick);
    if (press.is_drag || press.gesture != Gesture::Value) context.edits.end_gesture();
    if (press.is_drag && press.gesture == Gesture::Value) return;
    if (press.gesture == Gesture::Value && ImGui::GetIO().KeyShift)
        return context.selection.toggle(pick);
    context.selection.chosen = tensor.path();
    if (press.gesture == Gesture::Value) context.selection.hold(pick);
}

}  // namespace headlight
