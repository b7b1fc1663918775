#include "ui/lecture/lecture_closing.h"

#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "ui/compat.h"
#include "ui/widgets/widgets.h"
#include "ui/window/desks.h"

namespace headlight {

bool LectureClosing::ask(const Desks& desks) {
    is_given_up_ = false;
    state_ = desks.lecture.book.has_changes() ? State::Asks : State::Rests;
    return asks();
}

LectureClosing::Answer LectureClosing::draw(PanelContext& context, Desks& desks) {
    if (state_ == State::Asks) return draw_question(context, desks);
    if (state_ != State::Saves || desks.files.dialog().is_open()) return Answer::None;
    state_ = State::Rests;
    return desks.lecture.book.has_changes() ? Answer::None : Answer::GoOn;  // else it stays
}

LectureClosing::Answer LectureClosing::draw_question(PanelContext& context, Desks& desks) {
    constexpr const char* kTitle = "Unsaved lecture";
    ImGui::OpenPopup(kTitle);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    if (!ImGui::BeginPopupModal(kTitle, nullptr,
                                ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
        return Answer::None;
    context.regions.begin_popup();
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
    if (saves || gives_up || stays) {
        ImGui::CloseCurrentPopup();
        state_ = saves ? State::Saves : State::Rests;
    }
    context.regions.end_popup();
    ImGui::EndPopup();
    is_given_up_ = gives_up;
    try {
        if (saves) save_lecture(desks);
    } catch (const Error& error) {
        state_ = State::Rests;
        desks.notice.say(error.what());
    }
    return gives_up ? Answer::GoOn : Answer::None;
}

void LectureClosing::finish(Desks& desks) const {
    if (is_given_up_) desks.lecture.recovery.drop(desks.lecture.book);
}

}  // namespace headlight
