#include <imgui.h>

#include "ui/compat.h"
#include "ui/lecture/page_canvas.h"
#include "ui/presentation/presented_view.h"

namespace headlight {
namespace {

void go_to_page(PanelContext& context, const OpenLecture& lecture, WalkMove how) {
    const bool is_on = how == WalkMove::Next || how == WalkMove::NextComponent;
    const bool is_back = how == WalkMove::Back || how == WalkMove::ComponentBefore;
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

void press_page_keys(const OpenLecture& lecture, PageCanvas& page) {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key); };
    if (pressed(Key::H)) page.show_hint();
    const auto& task = lecture.shown().task;
    if (!task) return;
    if (pressed(Key::A)) page.type_answer();
    // A solution changes the study: no key makes it without Shift.
    const bool is_goal = task->kind == PageTask::Kind::Goal;
    const bool is_asked = pressed(Key::R) && is_goal == ImGui::GetIO().KeyShift;
    if (is_asked && may_show_answer(*task, today())) page.show_answer();
}

}  // namespace

Slide lecture_slide(PanelContext& context, const OpenLecture& lecture, PageCanvas& page,
                    const Prediction& prediction) {
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
    slide.go = [&](WalkMove how) { go_to_page(context, lecture, how); };
    slide.press_keys = [&] { press_page_keys(lecture, page); };
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
    slide.everything = "pages";
    slide.matrix = page.predictable(lecture.shown());
    slide.has_answer = lecture.shown().task.has_value();
    if (slide.matrix) slide.said = {guess_text(prediction, *slide.matrix)};
    slide.said_color = context.theme.accent;
    slide.opening = lecture.shown().opening;
    return slide;
}

}  // namespace headlight
