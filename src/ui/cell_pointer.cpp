#include "ui/cell_pointer.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

#include "ui/cell_edits.h"
#include "ui/held_rows.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

constexpr float kDragStart = 4;  // points that the pointer moves before a press is a drag

}  // namespace

void CellPointer::point(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                        Point origin) {
    CellGrid placed = grid;
    placed.cells.x += origin.x;
    placed.cells.y += origin.y;
    context.regions.add_grid(tensor.path, placed);

    // The button came up while the pressed picture was gone.
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
        !ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        press_.reset();
    if (press_ && press_->cell.path == tensor.path) return drag(context, tensor);
    if (press_) return;
    const auto at = grid.cell_at(widgets::pointer_in(origin));
    if (!at) return;
    const PointedCell cell{tensor.path, at->row, at->column};
    const Pointed pointed = point_at(*context.trace, tensor, cell.row, cell.column);
    context.selection.hover(pointed);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right) && tensor.quantity != Quantity::Mask) {
        context.selection.keep_held(pointed);
        context.selection.ask_to_animate({cell});
    }
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        context.selection.keep_held(pointed);
        context.selection.ask_to_type();
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        press(context, cell);
    }
}

void CellPointer::press(PanelContext& context, const PointedCell& cell) {
    const Scalar value = value_at(*context.trace, cell);
    press_ =
        Press{cell, std::isfinite(value) ? value : Scalar(0), ImGui::GetIO().MousePos.y, false};
}

void CellPointer::drag(PanelContext& context, const Tensor& tensor) {
    const PointedCell& cell = press_->cell;
    if (cell.row >= tensor.rows.size || cell.column >= tensor.columns.size) return press_.reset();
    const Pointed pointed = point_at(*context.trace, tensor, cell.row, cell.column);
    context.selection.hover(pointed);
    const float up = press_->start_y - ImGui::GetIO().MousePos.y;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) return release(context, tensor);
    if (!press_->is_drag && std::abs(up) < kDragStart) return;
    if (tensor.quantity == Quantity::Mask) return;
    press_->is_drag = true;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    const Scalar step = drag_step(tensor) * (ImGui::GetIO().KeyShift ? Scalar(0.1) : Scalar(1));
    Scalar value = std::round((press_->start + static_cast<Scalar>(up) * step) / step) * step;
    if (tensor.quantity == Quantity::Probability) value = std::clamp(value, Scalar(0), Scalar(1));
    context.selection.keep_held(pointed);
    push_set_cell(context, cell, value, "drag");
}

void point_at_row_label(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                        Point origin) {
    if (!has_item_rows(tensor, tensor.rows.list) || grid.rows == 0) return;
    const Box& cells = grid.cells;
    context.regions.add("labels " + tensor.path,
                        {origin.x, origin.y + cells.y, cells.x, cells.height});
    const Point pointer = widgets::pointer_in(origin);
    if (!Box{0, cells.y, cells.x, cells.height}.contains(pointer)) return;
    const auto row = static_cast<Index>((pointer.y - cells.y) / grid.cell_height());
    widgets::point_at_word(context, std::min(row, grid.rows - 1), tensor.rows.list);
}

void CellPointer::release(PanelContext& context, const Tensor& tensor) {
    const PointedCell cell = press_->cell;
    const bool was_drag = press_->is_drag;
    press_.reset();
    if (was_drag) return context.edits.end_gesture();
    if (ImGui::GetIO().KeyShift)
        return context.selection.toggle(point_at(*context.trace, tensor, cell.row, cell.column));
    const bool is_large = context.selection.chosen == tensor.path;
    context.selection.chosen = tensor.path;
    if (is_large && tensor.quantity == Quantity::Mask)
        push_toggle_mask(context, cell.row, cell.column);
    context.selection.hold(point_at(*context.trace, tensor, cell.row, cell.column));
}

}  // namespace headlight
