// Heads as a grid: a row for each attention, a column for each head of it. Every choice of one of
// many heads is made here.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string>

#include "core/components.h"
#include "ui/panel.h"

namespace headlight {

/// One head of one attention.
struct GridHead {
    const Component* attention = nullptr;
    int row = 0;  // of the attention among those of the grid
    int head = 0;

    std::string place() const { return fmt::format("{}.{}", row, head); }
};

/// The state of a head in the grid.
enum class HeadMark { None, Chosen, Absent };

struct HeadChooser {
    /// Returns the mark of a head. Absent ones cannot be chosen.
    std::function<HeadMark(const GridHead&)> mark;
    /// Returns the name by which a script finds the head: "choice head 3".
    std::function<std::string(const GridHead&)> name;
    /// Returns what else the tooltip says; may be null.
    std::function<std::string(const GridHead&)> note = nullptr;
};

/// Draws the grid at the cursor, as wide as there is room. Returns the head that was clicked.
std::optional<GridHead> draw_head_chooser(PanelContext& context, const HeadChooser& chooser);

/// Draws a button with that text that opens the grid over the window. Returns the head that was
/// clicked; the grid then closes, unless Ctrl or Shift is held.
std::optional<GridHead> head_chooser_button(PanelContext& context, const char* name,
                                            const std::string& text, const HeadChooser& chooser);

}  // namespace headlight
