// What is done with the tabs of the window: the studies that are open in the shown workspace.
#pragma once

#include <optional>
#include <vector>

#include "ui/requests.h"
#include "ui/tabs/tab_row.h"
#include "ui/window/commands.h"

namespace headlight {

class Studies;

/// The tabs of the shown workspace; none where it has only one, or cannot have more.
std::vector<StudyTab> study_tabs(const Studies& studies);

/// Throws Error if too many studies are open.
void open_copy(Desks& desks);
/// After a question if it has unsaved changes.
void close_tab(Desks& desks);
void show_next_tab(Desks& desks);
void show_previous_tab(Desks& desks);
/// A click in the row.
void take_tab_request(Desks& desks, const TabRequest& request);

/// There are no tabs in the workspaces of the training and of lectures, nor on slides.
std::optional<Obstacle> no_tabs(const Desks& desks);

}  // namespace headlight
