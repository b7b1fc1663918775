#include <imgui.h>

#include "ui/compat.h"
#include "ui/lecture/page_canvas.h"

namespace headlight {
namespace {

/// Goes to another page. A hidden matrix is revealed before the next one.
void go(PanelContext& context, const OpenLecture& lecture, const PageCanvas& page, WalkMove how) {
    const bool is_on = how == WalkMove::Next || how == WalkMove::NextComponent;
    const bool is_back = how == WalkMove::Back || how == WalkMove::ComponentBefore;
    if (is_on && page.is_hidden(lecture)) return context.requests.run("reveal");
    std::size_t at = lecture.at();
    if (is_on)
        ++at;
    else if (is_back && at > 0)
        --at;
    else if (how == WalkMove::First)
        at = 0;
    else if (how == WalkMove::Last)
        at = lecture.lecture().pages.size();
    else
        return;
    context.requests.lecture([at](OpenLecture& lecture) {
        lecture.animate_next();
        lecture.go_to(at);
    });
}

void press_page_keys(PanelContext& context, const OpenLecture& lecture, PageCanvas& page) {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key); };
    if (pressed(Key::H)) page.show_hint();
    const auto& task = lecture.shown().task;
    if (!task && page.predicts() && pressed(Key::R)) context.requests.run("reveal");
    if (!task) return;
    if (pressed(Key::A)) page.type_answer();
    // A solution changes the study: no key makes it without Shift.
    const bool is_goal = task->kind == PageTask::Kind::Goal;
    const bool is_asked = pressed(Key::R) && is_goal == ImGui::GetIO().KeyShift;
    if (is_asked && may_show_answer(*task, today())) page.show_answer();
}

}  // namespace

Slide lecture_slide(PanelContext& context, const OpenLecture& lecture, PageCanvas& page) {
    const auto run = [&context](CommandId command) {
        return [&context, command] { context.requests.run(command); };
    };
    Slide slide{.window = "lecture slide", .background = context.theme.card};
    slide.draw = [&](Box room, float covered) {
        room.height -= covered;
        page.draw(context, lecture, room);
        return std::string();  // the page's own foot says what had no room
    };
    slide.unit = "page";
    slide.go = [&](WalkMove how) { go(context, lecture, page, how); };
    slide.press_keys = [&] { press_page_keys(context, lecture, page); };
    slide.buttons = {
        {"As written", "The page as the file has it, without what was changed here",
         [&context] { context.requests.lecture([](OpenLecture& lecture) { lecture.reopen(); }); }},
        {"Speaker", "Notes, the next page and a clock in a window of their own  (S)",
         run("speaker"), true}};
    if (lecture.has_live_changes(lecture.at()))
        slide.last_buttons.push_back({"Keep changes",
                                      "What was changed here becomes part of the lecture",
                                      run("keep-changes")});
    if (page.has_answers()) {
        slide.last_buttons.push_back(
            {"Save answers…", "A small file with your answers, which can be sent and graded",
             run("save-answers")});
        slide.last_buttons.push_back(
            {"Clear answers", "All tasks begin anew", run("clear-answers")});
    }
    slide.can_be_covered = true;
    if (page.predicts()) slide.covers = "pages";
    slide.said = {page.prediction_text(lecture)};
    slide.said_color = context.theme.accent;
    slide.opening = lecture.shown().opening;
    return slide;
}

}  // namespace headlight
