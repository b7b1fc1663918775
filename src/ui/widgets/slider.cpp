#include "ui/widgets/slider.h"

#include <algorithm>
#include <imgui.h>
#include <utility>

#include "model/motion.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight::widgets {
namespace {

constexpr float kSliderHeight = 16, kKnob = 6, kLine = 4;

}  // namespace

bool slider(PanelContext& context, const std::string& name, double& value, SliderRange range,
            float width) {
    const Spacing spacing = spacing_between(range.from, range.to);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(("slider " + name).c_str(), {width, kSliderHeight});
    name_item(context, "slider " + name);
    const bool is_active = ImGui::IsItemActive(), is_hovered = ImGui::IsItemHovered();
    if (is_hovered || is_active) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float left = at.x + kKnob, length = std::max(1.0f, width - 2 * kKnob);
    double moved = value;
    if (is_active) {
        const double share = std::clamp((ImGui::GetIO().MousePos.x - left) / length, 0.0f, 1.0f);
        moved = number_at(range.from, range.to, share, spacing);
    }
    const auto share = static_cast<float>(share_at(range.from, range.to, moved, spacing));
    const float x = left + share * length, y = at.y + kSliderHeight / 2;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 accent = im_color(context.theme.accent);
    list.AddRectFilled({left, y - kLine / 2}, {left + length, y + kLine / 2},
                       im_color(context.theme.border), kLine / 2);
    list.AddRectFilled({left, y - kLine / 2}, {x, y + kLine / 2}, accent, kLine / 2);
    list.AddCircleFilled({x, y}, is_hovered || is_active ? kKnob : kKnob - 1, accent);
    list.AddCircleFilled({x, y}, kKnob - 3, im_color(context.theme.field));
    return std::exchange(value, moved) != moved;
}

bool play_mark(PanelContext& context, const std::string& name, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool is_pressed =
        ImGui::InvisibleButton(("play " + name).c_str(), {width, kSliderHeight});
    name_item(context, "play " + name);
    const bool is_hovered = ImGui::IsItemHovered();
    if (is_hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const ImU32 ink = im_color(is_hovered ? context.theme.accent : context.theme.muted);
    const float x = at.x + width / 2 - 3, y = at.y + kSliderHeight / 2;
    ImGui::GetWindowDrawList()->AddTriangleFilled({x, y - 5}, {x + 8, y}, {x, y + 5}, ink);
    tooltip("Animates it between two values, while everything follows");
    return is_pressed;
}

}  // namespace headlight::widgets
