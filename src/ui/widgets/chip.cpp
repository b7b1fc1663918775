#include "ui/widgets/chip.h"

#include <imgui.h>

#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {

bool draw_chip(PanelContext& context, const char* label, const char* tooltip, Chosen chosen) {
    const Theme& theme = context.theme;
    const bool is_chosen = chosen == Chosen::Yes;
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(is_chosen ? theme.accent_soft : theme.card));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(is_chosen ? theme.accent : theme.text));
    ImGui::PushStyleColor(ImGuiCol_Border, im_vec(is_chosen ? theme.accent : theme.border));
    const bool is_pressed = widgets::button(context, label, nullptr);
    ImGui::PopStyleColor(3);
    if (tooltip) widgets::tooltip(tooltip);
    return is_pressed;
}

}  // namespace headlight
