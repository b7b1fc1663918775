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
    const bool is_open = ImGui::BeginPopup(kTitle, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    if (ImGui::IsWindowAppearing()) compat::focus_next_item();
    // The letter of the key that opened it is not meant for it.
    if (!ImGui::IsAnyItemActive()) ImGui::GetIO().InputQueueCharacters.resize(0);
    context.painter.push_font(Font::Regular, 16);
    ImGui::PushID("text");
    input.draw(context);
    ImGui::PopID();
    context.painter.pop_font();
    if (compat::is_key_pressed(Key::Enter) || compat::is_key_pressed(Key::Escape))
        ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace headlight
