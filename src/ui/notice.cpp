#include "ui/notice.h"

#include <imgui.h>

#include "ui/style.h"

namespace headlight {

void begin_notice(PanelContext& context, const std::string& text, Box box, float buttons_width) {
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.notice));
    ImGui::PushStyleColor(ImGuiCol_Border, im_vec(context.theme.notice_border));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8);
    ImGui::SetNextWindowPos({box.x + 14, box.y + 12});
    ImGui::SetNextWindowSize({box.width - 28, 0});
    ImGui::Begin("notice", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PushTextWrapPos(box.width - buttons_width - 50);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::SameLine(box.width - buttons_width - 30);
}

void end_notice() {
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
}

}  // namespace headlight
