// The sliders, choices, heads and the text of a page, which are changed on the slide.
#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "lecture/page/page_control.h"
#include "model/ablation.h"
#include "model/changes.h"
#include "model/settings/named_setting.h"
#include "model/settings/number_settings.h"
#include "model/settings/setting_text.h"
#include "paint/number_format.h"
#include "ui/lecture/page_canvas.h"
#include "ui/widgets/slider.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kGapBetween = 28, kLabelSize = 14, kLeastSlider = 60, kBeforeSlider = 12;
constexpr float kChoiceWidth = 10;  // in sizes of its font

/// A label, the number and a slider, in that width. True when it was moved.
bool draw_number(PanelContext& context, const PageControl& control, const std::string& label,
                 const std::string& shown, double& value, float width) {
    ImGui::TextUnformatted((label + "  " + shown).c_str());
    ImGui::SameLine(0, kBeforeSlider);
    const float used = ImGui::CalcTextSize((label + "  −00.000").c_str()).x + kBeforeSlider;
    return widgets::slider(context, control.path, value, {control.low, control.high},
                           std::max(kLeastSlider, width - used));
}

void draw_setting_slider(PanelContext& context, const PageControl& control, float width) {
    const auto setting = find_number_setting(context.document, control.path);
    if (!setting) throw Error("control", "has no effect");
    double value = setting->value;
    const std::string shown = setting->kind == NumberSetting::Kind::Whole
                                  ? std::to_string(static_cast<long>(value))
                                  : format_value(static_cast<Scalar>(value));
    if (!draw_number(context, control, setting->label, shown, value, width)) return;
    context.edits.push(
        "Set " + setting->label,
        [path = control.path, value](Document& document) {
            set_number_setting(document, path, value);
        },
        control.path);
}

void draw_cell_slider(PanelContext& context, const PageControl& control, float width) {
    const PointedCell cell = control_cell(*context.trace, control.path);
    double value = (*context.trace->at(cell.path).value)(cell.row, cell.column);
    const std::string shown = format_value(static_cast<Scalar>(value));
    if (!draw_number(context, control, control.path, shown, value, width)) return;
    context.edits.push(
        "Set " + control.path,
        [cell, value](Document& document) {
            set_cell(document, cell.path, cell.row, cell.column, static_cast<Scalar>(value));
        },
        control.path);
}

void draw_setting_choice(PanelContext& context, const std::string& path) {
    const auto setting = find_choice_setting(context.document, path);
    if (!setting) throw Error("control", "there is no such setting");
    std::vector<std::string> words(setting->words.begin(), setting->words.end());
    std::vector<const char*> choices;
    for (const std::string& word : words) choices.push_back(word.c_str());
    const auto now = std::ranges::find(words, named_setting(context.document, path));
    auto picked = static_cast<int>(now - words.begin());
    const float width = kChoiceWidth * ImGui::GetFontSize();
    if (!widgets::row_choice(context, setting->label.c_str(), picked, choices, width)) return;
    context.edits.push("Set " + setting->label,
                       [path, word = words[static_cast<std::size_t>(picked)]](Document& document) {
                           set_named_setting(document, path, word);
                       });
}

/// A button that is pressed in while the head is on.
void draw_head_switch(PanelContext& context, const Component& attention, int head) {
    const Tensor* output = ablated_tensor(*context.trace, attention, head);
    if (!output) return;
    const bool is_on = !find_ablation(*output);
    const Theme& theme = context.theme;
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(is_on ? theme.accent_soft : theme.card));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(is_on ? theme.text : theme.muted));
    const std::string name = attention.path + ".heads." + std::to_string(head);
    const std::string label = std::to_string(head) + (is_on ? "" : " off") + "##" + name;
    const bool is_pressed = ImGui::Button(label.c_str());
    ImGui::PopStyleColor(2);
    widgets::name_item(context, "button " + name);
    widgets::tooltip(is_on ? "Switch the head off: its output becomes 0" : "Switch it on again");
    if (!is_pressed) return;
    const auto wanted = is_on ? std::optional(Ablation::Zero) : std::nullopt;
    context.edits.push(
        ablation_name(head, wanted),
        [path = output->path(), wanted](Document& document) { ablate(document, path, wanted); });
}

void draw_head_switches(PanelContext& context, const PageControl& control) {
    constexpr float kBetween = 4, kBetweenLayers = 20;
    const auto attentions = controlled_heads(context.components, control);
    for (const Component* attention : attentions) {
        if (attention != attentions.front()) ImGui::SameLine(0, kBetweenLayers);
        widgets::row_label(attention_name(*attention).c_str());
        for (int head = 0; head < attention->n_heads; ++head) {
            if (head > 0) ImGui::SameLine(0, kBetween);
            draw_head_switch(context, *attention, head);
        }
    }
}

}  // namespace

void PageCanvas::draw_controls(PanelContext& context, const std::vector<PageControl>& controls,
                               Box box, float unit) {
    const auto n = static_cast<float>(controls.size());
    const float width = (box.width - (n - 1) * kGapBetween * unit) / n;
    context.painter.push_font(Font::Regular, kLabelSize * unit);
    for (std::size_t k = 0; k < controls.size(); ++k) {
        ImGui::SetCursorScreenPos(
            {box.x + static_cast<float>(k) * (width + kGapBetween * unit), box.y + 6 * unit});
        ImGui::BeginGroup();
        try {
            draw_control(context, controls[k], width);
        } catch (const Error&) {
            ImGui::TextDisabled("%s: not in this study", controls[k].path.c_str());
        }
        ImGui::EndGroup();
    }
    context.painter.pop_font();
}

void PageCanvas::draw_control(PanelContext& context, const PageControl& control, float width) {
    switch (control.kind) {
        case PageControl::Kind::Text:
            return draw_typed_text(context, width);
        case PageControl::Kind::Choice:
            return draw_setting_choice(context, control.path);
        case PageControl::Kind::Heads:
            return draw_head_switches(context, control);
        case PageControl::Kind::Setting:
            return draw_setting_slider(context, control, width);
        case PageControl::Kind::Cell:
            return draw_cell_slider(context, control, width);
    }
}

void PageCanvas::draw_typed_text(PanelContext& context, float width) {
    const SentenceStudy* study = context.document.sentence();
    if (!study) return;
    if (!ImGui::IsAnyItemActive()) typed_text_ = context.codes.encode(study->text);
    ImGui::SetNextItemWidth(width);
    const bool is_edited = ImGui::InputText("##page text", &typed_text_);
    widgets::name_item(context, "text Page");
    if (is_edited && !widgets::is_left_by_escape())
        context.edits.push(
            "Change the text",
            [text = context.codes.decode(typed_text_)](Document& document) {
                set_text(document, text);
            },
            "page text");
}

}  // namespace headlight
