// The row of tabs under the top bar: the studies that are open in the shown workspace.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/panel.h"
#include "ui/requests.h"
#include "ui/window/commands.h"

namespace headlight {

struct StudyTab {
    std::size_t number = 0;  // of its study
    std::string name, what;  // name: "a.headlight"; what: its whole path
    bool is_shown = false, is_changed = false;
};

/// Draws into the current ImGui window. A tab is "study NAME", its cross "close NAME". Long names
/// are cut; tabs for which there is no room are in a list. Asks for the tab that is clicked.
void draw_tab_row(PanelContext& context, std::span<const StudyTab> tabs);

class Studies;

/// Returns the tabs of the shown workspace; none where it has only one, or cannot have more.
std::vector<StudyTab> study_tabs(const Studies& studies);

/// Throws Error if too many studies are open.
void open_copy(WorkbenchState& bench);
/// Closes the tab, after a question if its study has unsaved changes.
void close_tab(WorkbenchState& bench);
void show_next_tab(WorkbenchState& bench);
void show_previous_tab(WorkbenchState& bench);
/// Does what a click in the row asks for.
void take_tab_request(WorkbenchState& bench, const TabRequest& request);

/// Returns why there are no tabs: not in the workspaces of the training and of lectures, nor on
/// slides.
std::optional<Obstacle> no_tabs(const WorkbenchState& bench);

}  // namespace headlight
