#include "ui/input/cell_keys.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

#include "scene/block_edits.h"
#include "scene/cell_edits.h"

namespace headlight {
namespace {

struct Arrows {
    Index down = 0, right = 0;
};

Arrows pressed_arrows() {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::Yes); };
    return {pressed(Key::Down) - pressed(Key::Up), pressed(Key::Right) - pressed(Key::Left)};
}

/// One axis of the block moves its edge on the side of the arrow away from the held cell, or if
/// there is none on that side, the other edge towards it.
void extend(Index& first, Index& count, Index held, Index by, Index size) {
    Index last = first + count - 1;
    if (by > 0 && first < held && last == held)
        ++first;
    else if (by > 0)
        last = std::min(last + 1, size - 1);
    else if (by < 0 && last > held && first == held)
        --last;
    else if (by < 0)
        first = std::max<Index>(first - 1, 0);
    count = last - first + 1;
}

void extend_block(PanelContext& context, const ChosenCells& cells, Arrows arrows) {
    const PointedCell held = *context.selection.held().cell;
    CellRange range = cells.range;
    extend(range.row, range.rows, held.row, arrows.down, cells.tensor.rows().size);
    extend(range.column, range.columns, held.column, arrows.right, cells.tensor.columns().size);
    context.selection.hold_block(context.selection.held(), range);
}

void step(PanelContext& context, const ChosenCells& cells, Scalar steps) {
    if (cells.tensor.quantity() == Quantity::Mask || steps == 0) return;
    const Scalar fine = ImGui::GetIO().KeyShift ? Scalar(0.1) : Scalar(1);
    const Scalar by = steps * fine * cell_step(cells.tensor);
    context.edits.push(step_edit(*context.trace, cells, by));
}

/// The cell under the pointer is held first, unless it is in the block.
void turn_wheel(PanelContext& context) {
    const Scalar notches = ImGui::GetIO().MouseWheel;
    const Pointed pointed = context.selection.hovered();
    if (notches == 0 || !pointed.cell) return;
    auto cells = chosen_cells(*context.trace, context.selection);
    const bool is_chosen = cells && cells->tensor.path() == pointed.cell->path &&
                           cells->range.contains(pointed.cell->row, pointed.cell->column);
    if (!is_chosen) {
        context.selection.keep_held(pointed);
        cells.emplace(need_chosen_cells(*context.trace, context.selection));
    }
    step(context, *cells, notches);
}

/// What was typed, as far as a number can begin with it.
std::string typed_number() {
    std::string text;
    for (const ImWchar character : ImGui::GetIO().InputQueueCharacters)
        if (character < 128 &&
            std::string_view("0123456789.,-").find(static_cast<char>(character)) !=
                std::string_view::npos)
            text += static_cast<char>(character);
    return text;
}

}  // namespace

void press_cell_keys(PanelContext& context) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!context.trace || io.WantTextInput || ImGui::IsAnyItemActive()) return;
    if (io.KeyAlt) turn_wheel(context);
    const auto cells = chosen_cells(*context.trace, context.selection);
    if (!cells) return;
    const Arrows arrows = pressed_arrows();
    const bool has_arrows = arrows.down != 0 || arrows.right != 0;
    if (io.KeyCtrl && io.KeyShift && has_arrows) return extend_block(context, *cells, arrows);
    if (io.KeyCtrl && compat::is_key_pressed(Key::A))
        return context.selection.hold_block(
            context.selection.held(),
            {0, 0, cells->tensor.rows().size, cells->tensor.columns().size});
    if (io.KeyAlt && arrows.down != 0)
        return step(context, *cells, static_cast<Scalar>(-arrows.down));
    if (io.KeyCtrl || io.KeyAlt) return;
    if (const std::string text = typed_number(); !text.empty()) context.requests.type(text);
}

}  // namespace headlight
