#include "ui/presentation/slide_text.h"

#include <imgui.h>
#include <utility>

#include "ui/compat.h"

namespace headlight {

void SlideText::draw(PanelContext& context, Panel& input, Point size, float foot) {
    constexpr const char* kTitle = "Text of the study";
    if (std::exchange(is_asked_, false)) ImGui::OpenPopup(kTitle);
    ImGui::SetNextWindowPos({size.x / 2, size.y - foot}, ImGuiCond_Always, {0.5f, 1});
    ImGui::SetNextWindowSize({size.x * 0.86f, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16, 14});
    // The slide makes room for it, and takes the room back, in the frame after this one.
    const float before = std::exchange(height_, 0.0f);
    const bool is_open = ImGui::BeginPopup(kTitle, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open && before > 0) context.requests.look_again(0);
    if (!is_open) return;
    if (ImGui::IsWindowAppearing()) compat::focus_next_item();
    // The letter of the key that opened it is not meant for it.
    if (!ImGui::IsAnyItemActive()) ImGui::GetIO().InputQueueCharacters.resize(0);
    context.painter.push_font(Font::Regular, 16);
    ImGui::PushID("text");
    input.draw(context);
    ImGui::PopID();
    context.painter.pop_font();
    const ImVec2 at = ImGui::GetWindowPos();
    height_ = ImGui::GetWindowHeight();
    if (height_ != before) context.requests.look_again(0);
    context.regions.add("slide text", {at.x, at.y, ImGui::GetWindowWidth(), height_});
    if (compat::is_key_pressed(Key::Enter) || compat::is_key_pressed(Key::Escape))
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace headlight
