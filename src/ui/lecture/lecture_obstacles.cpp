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

namespace {

std::optional<Obstacle> no_slide(const Desks& desks) {
    if (desks.space().page) return std::nullopt;
    return Obstacle{"slide", "there is nothing to show: " + desks.space().session.why_no_trace()};
}

/// What is covered is a matrix.
std::optional<Obstacle> no_step(const Desks& desks) {
    if (auto obstacle = no_slide(desks)) return obstacle;
    if (!presented_view(make_scene(desks))) return std::nullopt;
    return Obstacle{"predict", "this view shows no single matrix that could be covered"};
}

}  // namespace

std::optional<Obstacle> nothing_to_predict(const Desks& desks) {
    if (!shows_lecture(desks)) return no_step(desks);
    const LectureBook::Shown& shown = desks.lecture.book.shown();
    if (desks.lecture.page.predicts() || PageCanvas::predictable(shown)) return std::nullopt;
    const bool has_cover = shown.task && covers_matrix(*shown.task);
    return Obstacle{"predict", has_cover
                                   ? "the matrix of this page is covered already, until its task "
                                     "is answered"
                                   : "this page shows no single matrix that could be covered"};
}

std::optional<Obstacle> nothing_to_reveal(const Desks& desks) {
    if (!shows_lecture(desks)) return no_step(desks);
    if (desks.lecture.page.predicts()) return std::nullopt;
    return Obstacle{"reveal", "nothing is covered; P covers the matrices of pages"};
}

std::optional<Obstacle> no_text_to_change(const Desks& desks) {
    if (!shows_lecture(desks)) return no_slide(desks);
    if (desks.lecture.book.shown().page.space) return std::nullopt;
    return Obstacle{"text", "this page has no study whose text could be changed"};
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
