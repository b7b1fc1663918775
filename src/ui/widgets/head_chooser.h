// Heads as a grid: a row for each attention, a column for each head of it. Wherever one of many
// heads is chosen, it is chosen here.
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

/// How a head stands in the grid.
enum class HeadMark { None, Chosen, Absent };

struct HeadChooser {
    /// How it is marked. Absent ones cannot be chosen.
    std::function<HeadMark(const GridHead&)> mark;
    /// What a script calls it: "choice head 3".
    std::function<std::string(const GridHead&)> name;
    /// What else is said where the pointer is; may be null.
    std::function<std::string(const GridHead&)> note = nullptr;
};

/// "Layer 9 · head 3 · previous token 0.81"
std::string head_words(const PanelContext& context, const GridHead& head);

/// Draws the grid at the cursor, as wide as there is room. The head that was clicked.
std::optional<GridHead> draw_head_chooser(PanelContext& context, const HeadChooser& chooser);

/// A button with that text that opens the grid over the window. The head that was clicked; the grid
/// then closes, unless Ctrl or Shift is held.
std::optional<GridHead> head_chooser_button(PanelContext& context, const char* name,
                                            const std::string& text, const HeadChooser& chooser);

}  // namespace headlight
