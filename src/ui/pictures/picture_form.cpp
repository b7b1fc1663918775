// The settings of pictures: colours, scale, range, numbers. A form in the current window.
#include "ui/pictures/picture_form.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <utility>
#include <vector>

#include "figure/color.h"
#include "figure/color_scale.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/export/look_names.h"
#include "views/panels_view.h"

namespace headlight {
namespace {

using ScaleRange = PictureSettings::Range;
using Scale = PictureSettings::Scale;

/// Draws a choice of a few words for the values of an enumeration, in its order.
template <typename Enum, std::size_t n>
void choose(PanelContext& context, widgets::SettingName name, Enum& value,
            const char* const (&words)[n]) {
    int picked = static_cast<int>(value);
    if (widgets::choice_setting(context, name, picked, words)) value = static_cast<Enum>(picked);
}

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

void choose_colors(PanelContext& context, const Tensor& tensor, PictureSettings& settings) {
    const std::vector<OfferedColors> offered = offered_colors(tensor, context.theme);
    std::vector<const char*> names;
    int picked = 0;
    for (const OfferedColors& map : offered) {
        if (map.name == settings.colors) picked = static_cast<int>(names.size());
        names.push_back(map.name);
    }
    const widgets::ChoiceMark mark{kRamp + kSafeMark + 16, [&](std::size_t k, Box row) {
                                       draw_offered(context.theme, offered[k], row);
                                   }};
    constexpr const char* kHelp =
        "Colours with a tick are safe: readers without red, green or blue cones see the order of "
        "the values, and of signed ones the sign, too. Simulated after Machado et al. 2009.";
    if (!widgets::choice_setting(context, {"Colours", kHelp}, picked, names, mark)) return;
    settings.colors = picked == 0 ? "" : names[static_cast<std::size_t>(picked)];
}

void draw_limit(PanelContext& context, const char* label, Scalar& value) {
    constexpr float kWidth = 98;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::SameLine(widgets::right_edge() - kWidth);
    ImGui::SetNextItemWidth(kWidth);
    float typed = value;
    ImGui::DragFloat((std::string("##") + label).c_str(), &typed, 0.005f, 0, 0, "%.4g",
                     ImGuiSliderFlags_NoRoundToFormat);
    widgets::name_item(context, std::string("field ") + label);
    if (std::isfinite(typed)) value = typed;
}

void choose_range(PanelContext& context, const Tensor& tensor, PictureSettings& settings) {
    constexpr const char* kHelp = "The values of the first and the last colour.";
    if (tensor.quantity() == Quantity::Probability) {
        choose(context, {"Range", kHelp}, settings.range, {"0 to 1", "to the largest", "fixed"});
    } else {
        int is_fixed = settings.range == ScaleRange::Fixed;
        constexpr const char* kWords[] = {"to the largest", "fixed"};
        if (widgets::choice_setting(context, {"Range", kHelp}, is_fixed, kWords))
            settings.range = is_fixed ? ScaleRange::Fixed : ScaleRange::Standard;
    }
    if (settings.range != ScaleRange::Fixed) return;
    const bool has_low = !is_signed(tensor.quantity());
    if (has_low) draw_limit(context, "From", settings.low);
    draw_limit(context, has_low ? "To" : "Up to ±", settings.high);
    if (settings.high <= (has_low ? settings.low : Scalar(0)))
        widgets::hint(context, has_low ? "The end must be above the start; until then the range is "
                                         "the automatic one."
                                       : "It must be above 0; until then the range is automatic.");
}

void choose_decimals(PanelContext& context, PictureSettings& settings) {
    std::vector<const char*> words;
    int picked = 0;
    for (const auto& [word, decimals] : kDecimalsWords) {
        if (decimals == settings.decimals) picked = static_cast<int>(words.size());
        words.push_back(word.data());
    }
    constexpr const char* kHelp = "How many digits after the decimal point the numbers have.";
    if (widgets::choice_setting(context, {"Decimals", kHelp}, picked, words))
        settings.decimals = kDecimalsWords[static_cast<std::size_t>(picked)].second;
}

/// Returns the first matrix of the figure.
const Tensor* colored_tensor(const Scene& scene, ViewId view) {
    if (view == ViewId::Panels) {
        const std::vector<std::string> paths = panel_paths(scene);
        return paths.empty() ? nullptr : scene.trace.find(paths.front());
    }
    const bool has_map = view == ViewId::Matrix || view == ViewId::Compared;
    return has_map ? scene.trace.find(scene.selection.chosen) : nullptr;
}

}  // namespace

void draw_colors_field(PanelContext& context, ViewId view) {
    const Tensor* tensor = colored_tensor(context.scene, view);
    if (tensor && has_free_colors(tensor->quantity()))
        choose_colors(context, *tensor, context.selection.scales.of(tensor->quantity()));
}

void draw_picture_form(PanelContext& context, const Tensor& tensor) {
    PictureSettings& settings = context.selection.scales.of(tensor.quantity());
    widgets::heading(context, "Picture");
    if (has_free_colors(tensor.quantity())) {
        choose_colors(context, tensor, settings);
        choose(context,
               {"Scale",
                "Log: equal ratios look equally different. Per row: each row is scaled by its "
                "largest value, to compare words that read strongly with words that do not."},
               settings.scale, {"linear", "log", "per row"});
        if (settings.scale != Scale::PerRow) choose_range(context, tensor, settings);
    }
    choose(context,
           {"Far out",
            "What a pixel shows if it covers many cells: the strongest of them, so that no peak is "
            "lost, or their mean."},
           settings.far_out, {"strongest", "mean"});
    choose(context, "Numbers", settings.numbers, {"where they fit", "also small", "none"});
    if (settings.numbers != PictureSettings::Numbers::Never && tensor.quantity() != Quantity::Rank)
        choose_decimals(context, settings);
    choose(context,
           {"Sort",
            "Rows with similar numbers stand beside each other, and columns: the matrix can be "
            "looked at so, not edited."},
           context.selection.looks.matrix.sort, {"as they are", "by similarity"});
    if (widgets::button(context, "As at first", "Resets all of these settings")) settings = {};
}

}  // namespace headlight
