// What keys ask for, by what is shown.
#include <imgui.h>

#include "ui/input/cell_keys.h"
#include "ui/input/matrix_keys.h"
#include "ui/window/workbench.h"

namespace headlight {

void Workbench::press_keys(PanelContext& context) {
    for (const CommandId command : pressed_commands()) context.requests.run(command);
    const bool is_lecture = shows_lecture(desks_);
    if (desks_.presentation.is_on())
        return is_lecture ? desks_.lecture.slide.press_keys(context, desks_.lecture.book,
                                                            desks_.lecture.page)
                          : desks_.presentation.slide.press_keys(context);
    if (is_lecture) desks_.lecture.view.press_keys(context, desks_.lecture.book);
    press_matrix_keys(context);
    if (!shows_training(desks_)) press_cell_keys(context);
}

/// What is pressed with Ctrl is meant for the window: a list is closed before it is done.
void Workbench::press_keys_over_list(PanelContext& context) {
    if (!ImGui::GetIO().KeyCtrl) return;
    const Commands commands = pressed_commands();
    if (!commands.empty()) ImGui::SetWindowFocus(nullptr);
    for (const CommandId command : commands) context.requests.run(command);
}

}  // namespace headlight
