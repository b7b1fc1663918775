// The bar over the window: workspaces at the left, commands at the right.
#pragma once

#include "app_state/workspace.h"
#include "ui/panel.h"
#include "ui/window/window_places.h"

namespace headlight {

struct TopBarState {
    WorkspaceKind shown = WorkspaceKind::Sentence;
    std::string undo_label, redo_label;  // empty: nothing to undo, to redo
    std::string study_name;
    bool is_changed = false;  // since it was saved
    ThemeName theme = ThemeName::Light;
    Folded folded = {};  // parts of the window that have no place of their own
};

/// Returns the theme that the button leads to.
ThemeWord theme_after(ThemeName name);

/// Draws into the current ImGui window. Things without room go into menus. Opens and closes
/// drawers.
void draw_top_bar(PanelContext& context, const TopBarState& state, Drawer& open);

}  // namespace headlight
