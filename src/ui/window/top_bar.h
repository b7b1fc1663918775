// The bar over the window: workspaces at the left, commands at the right.
#pragma once

#include "ui/panel.h"
#include "ui/window/commands.h"
#include "ui/window/window_places.h"

namespace headlight {

struct TopBarState {
    std::size_t shown = 0;               // workspace: sentence, alignment, graph, image
    std::string undo_label, redo_label;  // empty: nothing to undo, to redo
    std::string study_name;
    bool is_changed = false;  // since it was saved
    ThemeName theme = ThemeName::Light;
    Folded folded = {};          // parts of the window that have no place of their own
    Drawer open = Drawer::None;  // the one of them that is over the middle
};

/// The one that the button leads to.
ThemeWord theme_after(ThemeName name);

/// Into the current ImGui window. What has no room there stands in menus. Returns what was asked
/// for, by mouse or by key.
Commands draw_top_bar(PanelContext& context, const TopBarState& state);
Commands pressed_shortcuts();

}  // namespace headlight
