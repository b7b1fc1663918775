#include "ui/lecture/lecture_obstacles.h"

#include "scene/held_rows.h"
#include "ui/window/desks.h"

namespace headlight {

std::optional<Obstacle> no_lecture(const Desks& desks) {
    if (shows_lecture(desks)) return std::nullopt;
    return Obstacle{"lecture", "no lecture is shown"};
}

std::optional<Obstacle> no_lecture_for_key(const Desks& desks) {
    return shows_lecture(desks) ? std::nullopt : std::optional(Obstacle{});
}

std::optional<Obstacle> no_open_page(const Desks& desks) {
    if (shows_lecture(desks) && desks.lecture.book.shown().page.space) return std::nullopt;
    return Obstacle{"lecture", "no page with a study is open"};
}

std::optional<Obstacle> no_study_slide(const Desks& desks) {
    if (shows_lecture(desks))
        return Obstacle{"slide",
                        "this is for slides of a study; a page of a lecture has its task, and "
                        "control: text where its text can be typed"};
    if (desks.space().page) return std::nullopt;
    return Obstacle{"slide", "there is nothing to show: " + desks.space().session.problem()};
}

std::optional<Obstacle> nothing_to_explain(const Desks& desks) {
    const Selection& selection = desks.space().selection;
    const bool has_panels = !desks.presentation.is_on() && !shows_lectures(desks);
    if (has_panels || selection.explains || selection.held().cell) return std::nullopt;
    const Workspace& space = desks.space();
    if (space.page && largest_of_held_row(*space.page, selection)) return std::nullopt;
    return Obstacle{"explain",
                    "no cell is held; a click on a cell of a matrix holds it, and so does a page "
                    "with row: it"};
}

}  // namespace headlight
