// The settings of pictures: colours, scale, range, numbers. A form in the current window.
#include "ui/pictures/picture_form.h"

#include <cmath>
#include <imgui.h>

#include "paint/color_maps.h"
#include "paint/tensor_scale.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

using ScaleRange = PictureSettings::Range;
using Scale = PictureSettings::Scale;

/// One of a few words for the values of an enumeration, in its order.
template <typename Enum, std::size_t n>
void choose(PanelContext& context, widgets::SettingName name, Enum& value,
            const char* const (&words)[n]) {
    int picked = static_cast<int>(value);
    if (widgets::choice_setting(context, name, picked, words)) value = static_cast<Enum>(picked);
}

void choose_colors(PanelContext& context, const Tensor& tensor, PictureSettings& settings) {
    const bool is_diverging = is_signed(tensor.quantity());
    std::vector<const char*> names{is_diverging ? "Brown to blue" : "Of the head"};
    int picked = 0;
    for (const ColorMap& map : is_diverging ? diverging_maps() : sequential_maps()) {
        if (map.name == settings.colors) picked = static_cast<int>(names.size());
        names.push_back(map.name.c_str());
    }
    if (!widgets::choice_setting(context, "Colours", picked, names)) return;
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

}  // namespace

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
    if (widgets::button(context, "As at first", "Resets all of these settings")) settings = {};
}

}  // namespace headlight
