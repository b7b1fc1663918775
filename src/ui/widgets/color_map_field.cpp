#include "ui/widgets/color_map_field.h"

#include <algorithm>
#include <imgui.h>
#include <utility>
#include <vector>

#include "figure/color.h"
#include "figure/color_scale.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// A colour map in the list of choices.
struct OfferedColors {
    const char* name;
    std::vector<Color> colors;
    bool is_safe;
};

std::vector<OfferedColors> offered_colors(const Tensor& tensor, const Theme& theme) {
    const bool is_diverging = is_signed(tensor.quantity());
    const std::vector<Color> standard = standard_scale(tensor, 1, theme).colors;
    std::vector<OfferedColors> offered{
        {is_diverging ? "Brown to blue" : "Of the head", standard,
         is_diverging ? is_safe_divergence(standard) : is_safe_sequence(standard)}};
    const MapKind kind = is_diverging ? MapKind::Diverging : MapKind::Sequential;
    for (const ColorMap& map : is_diverging ? diverging_maps() : sequential_maps())
        offered.push_back({map.name.c_str(),
                           is_diverging ? diverging_colors(map) : sequential_colors(map),
                           is_safe(map, kind)});
    return offered;
}

constexpr float kRamp = 84, kSafeMark = 24;

/// Draws the colours from the first to the last, and a mark if everybody can read them.
void draw_offered(const Theme& theme, const OfferedColors& offered, Box row) {
    constexpr float kPad = 3, kStepEvery = 4;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = row.right() - kRamp - kSafeMark;
    const auto n = static_cast<float>(offered.colors.size());
    for (float k = 0; k < n; k += kStepEvery)
        list.AddRectFilled({left + kRamp * k / n, row.y + kPad},
                           {left + kRamp * std::min(n, k + kStepEvery) / n, row.bottom() - kPad},
                           im_color(offered.colors[static_cast<std::size_t>(k)]));
    list.AddRect({left, row.y + kPad}, {left + kRamp, row.bottom() - kPad}, im_color(theme.border));
    if (!offered.is_safe) return;
    const float x = row.right() - kSafeMark + 9, y = row.center().y;
    for (const auto& [from, to] : {std::pair(ImVec2(x, y), ImVec2(x + 3, y + 4)),
                                   std::pair(ImVec2(x + 3, y + 4), ImVec2(x + 9, y - 4))})
        list.AddLine(from, to, im_color(theme.accent), 1.8f);
}

}  // namespace

bool color_map_field(PanelContext& context, const char* name, const Tensor& tensor,
                     std::string& map) {
    const std::vector<OfferedColors> offered = offered_colors(tensor, context.theme);
    std::vector<const char*> names;
    int picked = 0;
    for (const OfferedColors& of : offered) {
        if (of.name == map) picked = static_cast<int>(names.size());
        names.push_back(of.name);
    }
    const widgets::ChoiceMark mark{kRamp + kSafeMark + 16, [&](std::size_t k, Box row) {
                                       draw_offered(context.theme, offered[k], row);
                                   }};
    if (!widgets::choice_field(context, name, picked, names, mark)) return false;
    map = picked == 0 ? "" : names[static_cast<std::size_t>(picked)];
    return true;
}

}  // namespace headlight
