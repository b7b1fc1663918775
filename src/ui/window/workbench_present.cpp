// Workbench: what a hall sees, in place of the panels.
#include "core/error.h"
#include "ui/window/workbench.h"

namespace headlight {

float Workbench::zoom() const {
    return is_presenting_ ? slide_text_ * slide_zoom(window_) : zoom_;
}

void Workbench::present() {
    is_presenting_ = true;
    selection().view = MiddleView::Part;
    selection().paints_mask = false;  // its switch is not on a slide
}

void Workbench::go_to_step(std::size_t step) {
    Workspace& space = workspace();
    if (!space.page) throw Error("window", "there is nothing to show: " + space.session.problem());
    const std::size_t n = walk_of(*space.page, space.parts, space.selection).steps.size();
    if (step >= n)
        throw Error("--step", open_part(space.parts, space.selection).path + " has " +
                                  std::to_string(n) + (n == 1 ? " step" : " steps"));
    headlight::go_to_step(*space.page, space.parts, space.selection, step);
}

/// Found by its name where there is no slide yet, it begins one.
void Workbench::run_slide(Command command) {
    const Workspace& space = workspace();
    if (!space.page) throw Error("slide", "there is nothing to show: " + space.session.problem());
    if (!is_presenting_) present();
    if (command == Command::Predict) slide_.change_covers();
    if (command == Command::Reveal) slide_.turn_cover(space.page->at(space.selection.chosen));
    if (command == Command::ChangeText) slide_.ask_for_text();
}

/// Over everything; and how all of it is shown.
void Workbench::draw_laser(WorkbenchWishes& wishes) {
    wishes.draw_again |= laser_.draw();
    wishes.fills_screen = is_presenting_;
    wishes.magnified = magnified_;
}

void Workbench::draw_slide(PanelContext& context, const WorkbenchFrame& frame) {
    const Commands commands = slide_.draw(context, *panels_.left[shown_].front(), frame.size);
    draw_notice(context, {0, 0, frame.size.x, frame.size.y});
    run(commands);
}

}  // namespace headlight
