#include "ui/lecture/lecture_closing.h"

#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "ui/compat.h"
#include "ui/widgets/widgets.h"
#include "ui/window/desks.h"

namespace headlight {

bool LectureClosing::ask(Desks& desks) {
    stay(desks);
    is_given_up_ = false;
    desks.lecture.recovery.write_now(desks.lecture.book);
    if (desks.lecture.book.has_changes()) state_ = State::Asks;
    return asks();
}

void LectureClosing::ask_to_make_way(Desks& desks, Then go_on, Then stay) {
    if (!ask(desks)) return go_on(desks);
    go_on_ = std::move(go_on);
    stay_ = std::move(stay);
}

LectureClosing::Answer LectureClosing::draw(PanelContext& context, Desks& desks) {
    try {
        if (state_ == State::Asks) draw_question(context, desks);
        const bool waits = state_ == State::Saves && desks.files.dialog().is_open();
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
    constexpr const char* kTitle = "Unsaved lecture";
    ImGui::OpenPopup(kTitle);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    if (!ImGui::BeginPopupModal(kTitle, nullptr,
                                ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
        return;
    context.regions.begin_dialog();
    ImGui::TextUnformatted(
        ("The lecture “" + desks.lecture.book.name() + "” has changes that are not saved.")
            .c_str());
    ImGui::Dummy({0, 4});
    const bool saves = widgets::button(context, "Save…", nullptr);
    ImGui::SameLine();
    const bool gives_up = widgets::button(context, "Close without saving", nullptr);
    ImGui::SameLine();
    const bool stays =
        widgets::button(context, "Stay", nullptr) || compat::is_key_pressed(Key::Escape);
    if (saves || gives_up || stays) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
    is_given_up_ = gives_up;
    if (saves || gives_up) state_ = State::Saves;
    if (saves) save_lecture(desks);
    if (stays) stay(desks);
}

void LectureClosing::finish(Desks& desks) const {
    if (is_given_up_) desks.lecture.recovery.drop(desks.lecture.book);
}

}  // namespace headlight
