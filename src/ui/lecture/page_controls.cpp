// The sliders and the text of a page, which the lecturer changes on the slide.
#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/error.h"
#include "model/changes.h"
#include "model/settings/number_settings.h"
#include "model/settings/setting_text.h"
#include "paint/number_format.h"
#include "ui/lecture/page_canvas.h"
#include "ui/widgets/slider.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kGapBetween = 28, kLabelSize = 14, kLeastSlider = 60;

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
    using Kind = PageControl::Kind;
    if (control.kind == Kind::Text) {
        const SentenceStudy* study = context.document.sentence();
        if (!study) return;
        if (!ImGui::IsAnyItemActive()) typed_text_ = context.codes.encode(study->text);
        ImGui::SetNextItemWidth(width);
        const bool is_edited = ImGui::InputText("##page text", &typed_text_);
        widgets::name_item(context, "text Page");
        if (is_edited)
            context.edits.push(
                "Change the text",
                [text = context.codes.decode(typed_text_)](Document& document) {
                    set_text(document, text);
                },
                "page text");
        return;
    }
    double value = 0;
    std::string label = control.path, shown;
    PointedCell cell;
    if (control.kind == Kind::Setting) {
        const auto setting = find_number_setting(context.document, control.path);
        if (!setting) throw Error("control", "has no effect");
        value = setting->value;
        label = setting->label;
        if (setting->kind == NumberSetting::Kind::Whole)
            shown = std::to_string(static_cast<long>(value));
    } else {
        cell = control_cell(*context.trace, control.path);
        value = (*context.trace->at(cell.path).value)(cell.row, cell.column);
    }
    if (shown.empty()) shown = format_value(static_cast<Scalar>(value));
    const std::string text = label + "  " + shown;
    ImGui::TextUnformatted(text.c_str());
    ImGui::SameLine(0, 12);
    const float used = ImGui::CalcTextSize((label + "  −00.000").c_str()).x + 12;
    if (!widgets::slider(context, control.path, value, {control.low, control.high},
                         std::max(kLeastSlider, width - used)))
        return;
    if (control.kind == Kind::Setting)
        context.edits.push(
            "Set " + label,
            [path = control.path, value](Document& document) {
                set_number_setting(document, path, value);
            },
            control.path);
    else
        context.edits.push(
            "Set " + control.path,
            [cell, value](Document& document) {
                set_cell(document, cell.path, cell.row, cell.column, static_cast<Scalar>(value));
            },
            control.path);
}

}  // namespace headlight
