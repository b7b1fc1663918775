#include "ui/lecture/lecture_closing.h"

#include <utility>

#include "core/error.h"
#include "ui/dialogs/file_question.h"
#include "ui/widgets/problem_text.h"
#include "ui/window/desks.h"

namespace headlight {

bool LectureClosing::ask(Desks& desks) {
    stay(desks);
    is_given_up_ = is_changed_on_disk_ = false;
    desks.lecture.recovery.write_now(desks.lecture.book);
    if (desks.lecture.book.has_changes()) state_ = State::Asks;
    return asks();
}

void LectureClosing::ask_to_make_way(Desks& desks, Then go_on, Then stay) {
    if (!ask(desks)) return go_on(desks);
    go_on_ = std::move(go_on);
    stay_ = std::move(stay);
}

float LectureClosing::draw_notice(PanelContext& context, Desks& desks, Box box) {
    LectureBook& book = desks.lecture.book;
    return changed_.draw(
        context, {book.file(), book.on_disk(), [&book] { return book.is_changed_on_disk(); }}, box);
}

LectureClosing::Answer LectureClosing::draw(PanelContext& context, Desks& desks) {
    try {
        if (changed_.take_reload()) reload(desks);
        if (is_changed_on_disk_) draw_overwriting(context, desks);
        if (state_ == State::Asks) draw_question(context, desks);
        const bool waits = is_changed_on_disk_ || desks.files.dialog().is_open();
        if (state_ != State::Saves || waits) return Answer::None;
        if (!desks.lecture.book.has_changes() || is_given_up_) return go_on(desks);
    } catch (const Error& error) {
        desks.notice.say(error);
    }
    stay(desks);
    return Answer::None;
}

LectureClosing::Answer LectureClosing::go_on(Desks& desks) {
    const Then then = std::exchange(go_on_, {});
    state_ = State::Rests;
    stay_ = {};
    if (!then) return Answer::GoOn;
    finish(desks);
    then(desks);
    return Answer::None;
}

/// Nothing was saved, or nothing was asked.
void LectureClosing::stay(Desks& desks) {
    const Then then = std::exchange(stay_, {});
    state_ = State::Rests;
    go_on_ = {};
    if (then) then(desks);
}

void LectureClosing::draw_question(PanelContext& context, Desks& desks) {
    static constexpr QuestionChoice kChoices[] = {
        {"Save…", nullptr}, {"Close without saving", nullptr}, {"Stay", nullptr}};
    const auto pressed = headlight::draw_question(
        context, "Unsaved lecture",
        "The lecture “" + desks.lecture.book.name() + "” has changes that are not saved.",
        kChoices);
    if (!pressed) return;
    const bool saves = *pressed == 0, stays = *pressed == 2;
    is_given_up_ = !saves && !stays;
    if (stays) return stay(desks);
    state_ = State::Saves;
    if (saves) save_lecture(desks);
}

void LectureClosing::draw_overwriting(PanelContext& context, Desks& desks) {
    const auto answer = draw_changed_file_question(context, desks.lecture.book.file());
    if (!answer) return;
    is_changed_on_disk_ = false;
    if (*answer == ChangedFileAnswer::Overwrite) overwrite_lecture(desks);
    if (*answer == ChangedFileAnswer::SaveAs) ask_where_to_save_lecture(desks);
    if (*answer != ChangedFileAnswer::Reload) return;
    stay(desks);  // what was read is looked at first
    reload(desks);
}

/// What is wrong with the file is said as long as that is so. Over a slide nothing is said of files
/// but what was just asked for.
void LectureClosing::reload(Desks& desks) {
    try {
        reload_lecture(desks);
        desks.notice.clear();
    } catch (const Error& error) {
        if (desks.presentation.is_on()) throw;
        desks.notice.clear();
        changed_.cannot_read(desks.lecture.book.file(), text_for_user(error));
    }
}

void LectureClosing::finish(Desks& desks) const {
    if (is_given_up_) desks.lecture.recovery.drop(desks.lecture.book);
}

}  // namespace headlight
