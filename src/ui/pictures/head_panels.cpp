#include "ui/pictures/head_panels.h"

#include <algorithm>
#include <imgui.h>

#include "paint/panels/panels_layout.h"
#include "ui/widgets/style.h"

namespace headlight {
namespace {

std::string pattern_path(const PanelContext& context, const ListedHead& head) {
    const Tensor* pattern = find_of_head(*context.trace, *head.attention, head.head, Role::Pattern);
    return pattern ? pattern->path() : "";
}

}  // namespace

void draw_panel_letter(const PanelContext& context, const ListedHead& head, Box at) {
    const std::vector<std::string>& panels = context.selection.panels.matrices;
    const auto panel = std::find(panels.begin(), panels.end(), pattern_path(context, head));
    if (panel == panels.end()) return;
    const std::string letter = panel_letter(static_cast<std::size_t>(panel - panels.begin()));
    const ImVec2 size = ImGui::CalcTextSize(letter.c_str());
    const ImVec2 corner{at.right() - size.x - 6, at.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(corner, {at.right(), at.y + size.y + 4}, im_color(context.theme.accent), 4);
    list.AddText({corner.x + 3, corner.y + 2}, im_color(context.theme.on_accent), letter.c_str());
}

void toggle_panel(PanelContext& context, const ListedHead& head) {
    std::vector<std::string>& panels = context.selection.panels.matrices;
    const std::string path = pattern_path(context, head);
    const auto at = std::find(panels.begin(), panels.end(), path);
    if (at != panels.end())
        panels.erase(at);
    else if (!path.empty())
        panels.push_back(path);
}

}  // namespace headlight
