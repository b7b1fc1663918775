// The row of tabs under the top bar: the studies that are open in the shown workspace.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ui/panel.h"

namespace headlight {

struct StudyTab {
    std::size_t number = 0;  // of its study
    std::string name, what;  // "a.headlight"; its whole path
    bool is_shown = false, is_changed = false;
};

/// Draws into the current ImGui window. A tab is "study NAME", its cross "close NAME". Long names
/// are cut; tabs for which there is no room are in a list. Asks for what is clicked.
void draw_tab_row(PanelContext& context, std::span<const StudyTab> tabs);

}  // namespace headlight
