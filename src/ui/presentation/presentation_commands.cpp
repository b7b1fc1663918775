#include "ui/presentation/presentation_commands.h"

#include "ui/window/desks.h"

namespace headlight {
namespace {

/// Found by its name where there is no slide yet, it begins one.
Slide& need_slide(Desks& desks) {
    if (!desks.presentation.is_on()) begin_presentation(desks);
    return desks.presentation.slide;
}

/// Of a lecture: found by its name where it is not presented yet, it presents it.
LectureDesk& need_page_slide(Desks& desks) {
    if (!desks.presentation.is_on()) begin_lecture(desks);
    return desks.lecture;
}

}  // namespace

void begin_presentation(Desks& desks) {
    if (shows_lecture(desks)) return begin_lecture(desks);
    const bool has_view = desks.space().page && presented_view(make_scene(desks));
    desks.presentation.begin(has_view ? Presentation::Of::View : Presentation::Of::Steps,
                             desks.space().selection);
}

void turn_presentation(Desks& desks) {
    if (desks.presentation.is_on()) return desks.presentation.end();
    begin_presentation(desks);
}

void turn_prediction(Desks& desks) {
    shows_lecture(desks) ? need_page_slide(desks).page.turn_prediction()
                         : need_slide(desks).change_covers();
}

void ask_for_text(Desks& desks) {
    shows_lecture(desks) ? need_page_slide(desks).slide.ask_for_text()
                         : need_slide(desks).ask_for_text();
}

void turn_cover(Desks& desks) {
    if (shows_lecture(desks)) return desks.lecture.page.turn_cover(desks.lecture.book);
    const Workspace& space = desks.space();
    need_slide(desks).turn_cover(space.page->at(space.selection.chosen));
}

}  // namespace headlight
