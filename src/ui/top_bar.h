// The bar over the window: workspaces at the left, commands at the right.
#pragma once

#include "ui/commands.h"
#include "ui/panel.h"

namespace headlight {

struct TopBarState {
    std::size_t shown = 0;               // workspace: sentence, alignment, graph, image
    std::string undo_label, redo_label;  // empty: nothing to undo, to redo
    std::string study_name;
    bool is_changed = false;  // since it was saved
    ThemeName theme = ThemeName::Light;
};

/// The one that the button leads to.
ThemeWord theme_after(ThemeName name);

/// Into the current ImGui window. Returns what was asked for, by mouse or by key.
Commands draw_top_bar(PanelContext& context, const TopBarState& state);
Commands pressed_shortcuts();

}  // namespace headlight
