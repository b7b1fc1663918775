#include <imgui.h>

#include "ui/compat.h"
#include "ui/lecture/class_slide.h"
#include "ui/lecture/page_canvas.h"
#include "ui/presentation/presented_view.h"

namespace headlight {
namespace {

/// The page of a lecture that is presented, and the answers of the class to it.
struct PresentedPage {
    PageCanvas& page;
    ClassSlide& of_class;
};

/// Goes to another page. Answers of the class that are hidden are revealed before the next one.
void go_to_page(PanelContext& context, const OpenLecture& lecture, const ClassSlide& of_class,
                WalkMove how) {
    const bool is_on = how == WalkMove::Next || how == WalkMove::NextComponent;
    const bool is_back = how == WalkMove::Back || how == WalkMove::ComponentBefore;
    if (is_on && of_class.is_on(lecture) && of_class.is_hidden(lecture))
        return context.requests.run("reveal");
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

void press_page_keys(PanelContext& context, const OpenLecture& lecture,
                     const PresentedPage& shown) {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key); };
    PageCanvas& page = shown.page;
    if (lecture.shown().task && pressed(Key::C)) context.requests.run("class-answers");
    if (shown.of_class.is_on(lecture)) {
        if (pressed(Key::R)) context.requests.run("reveal");
        return;
    }
    if (pressed(Key::K)) context.requests.run("copy-code");
    if (pressed(Key::H)) page.show_hint();
    const auto& task = lecture.shown().task;
    if (!task) return;
    if (pressed(Key::A)) page.type_answer();
    // A solution changes the study: no key makes it without Shift.
    const bool is_goal = task->kind == PageTask::Kind::Goal;
    const bool is_asked = pressed(Key::R) && is_goal == ImGui::GetIO().KeyShift;
    if (is_asked && may_show_answer(*task, today())) page.show_answer();
}

/// Returns the buttons of the answers of the class.
std::vector<SlideButton> class_buttons(PanelContext& context, const ClassSlide& of_class,
                                       const OpenLecture& lecture) {
    const auto run = [&context](CommandId command) {
        return [&context, command] { context.requests.run(command); };
    };
    std::vector<SlideButton> buttons{
        {"Class answers", "Back to the page  (C)", run("class-answers"), false, {}, true}};
    if (of_class.has_answers(lecture))
        buttons.push_back({"Reveal", "Mark the right answer, or not  (R)", run("reveal")});
    buttons.push_back({"Files…", "Take in a file or a folder, with codes or with saved answers",
                       run("class-files")});
    buttons.push_back({"Add", "What is pasted is added to the answers that are there",
                       run("add-class-answers"), false, of_class.adds() ? "Add: on" : "",
                       of_class.adds()});
    if (of_class.has_answers(lecture))
        buttons.push_back(
            {"Clear", "Forget the answers of the class to this page", run("clear-class-answers")});
    return buttons;
}

}  // namespace

Slide lecture_slide(PanelContext& context, const OpenLecture& lecture, PageCanvas& page,
                    ClassSlide& of_class, const Prediction& prediction) {
    const auto run = [&context](CommandId command) {
        return [&context, command] { context.requests.run(command); };
    };
    Slide slide{.window = "lecture slide", .background = context.theme.card};
    slide.draw = [&](Box room, float covered) {
        room.height -= covered;
        of_class.is_on(lecture) ? of_class.draw(context, lecture, room)
                                : page.draw(context, lecture, room);
        return std::string();  // the page's own foot says what had no room
    };
    slide.unit = "page";
    slide.go = [&](WalkMove how) { go_to_page(context, lecture, of_class, how); };
    slide.press_keys = [&] { press_page_keys(context, lecture, {page, of_class}); };
    slide.opening = lecture.shown().opening;
    if (of_class.is_on(lecture)) {
        slide.buttons = class_buttons(context, of_class, lecture);
        return slide;
    }
    slide.buttons = {
        {"As written", "The page as the file has it, without what was changed here",
         [&context] { context.requests.lecture([](OpenLecture& lecture) { lecture.reopen(); }); }},
        {"Speaker", "Notes, the next page and a clock in a window of their own  (S)",
         run("speaker"), true}};
    if (lecture.shown().task)
        slide.buttons.push_back({"Class answers",
                                 "A histogram of the answers of the class, from their codes  (C)",
                                 run("class-answers"), true, "Class"});
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
    if (slide.matrix) slide.said = guess_texts(prediction, *slide.matrix);
    slide.said_color = context.theme.accent;
    return slide;
}

}  // namespace headlight
