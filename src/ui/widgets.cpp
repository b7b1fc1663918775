#include "ui/widgets.h"

#include <algorithm>
#include <cctype>
#include <imgui.h>

#include "paint/formula.h"
#include "ui/style.h"

namespace headlight::widgets {
namespace {

/// Narrow columns leave the labels their room.
float control_width() {
    constexpr float kLongestLabel = 96;
    return std::clamp(ImGui::GetContentRegionAvail().x - kLongestLabel, 60.0f, 98.0f);
}

Box last_item_box() {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

/// Label at the left; the next item goes to the right edge.
void label_left(const char* name) {
    const float width = control_width();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    ImGui::SameLine(right_edge() - width);
    ImGui::SetNextItemWidth(width);
}

std::string field_id(const char* name) {
    return std::string("##") + name;
}

}  // namespace

void name_item(PanelContext& context, const std::string& name) {
    context.regions.add(name, last_item_box());
}

float right_edge() {
    return ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
}

void tooltip(const char* text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {10, 8});
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(340);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void heading(PanelContext& context, const std::string& text, const char* help) {
    ImGui::Dummy({0, 2});
    std::string capitals = text;
    std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                   [](unsigned char c) { return c < 128 ? std::toupper(c) : c; });
    context.painter.push_font(Font::Bold, 11);
    ImGui::TextDisabled("%s", context.painter.drawn_text(capitals, Font::Bold).c_str());
    if (help) {
        ImGui::SameLine(right_edge() - 10);
        ImGui::TextDisabled("?");
    }
    context.painter.pop_font();
    if (help) tooltip(help);
}

bool int_setting(PanelContext& context, const char* name, int& value, IntRange range) {
    label_left(name);
    int typed = value;
    ImGui::DragInt(field_id(name).c_str(), &typed, 0.08f, range.low, range.high);
    name_item(context, std::string("field ") + name);
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    typed = std::clamp(typed, range.low, range.high);
    if (typed == value) return false;
    value = typed;
    return true;
}

bool float_setting(PanelContext& context, const char* name, float& value, FloatRange range) {
    label_left(name);
    float typed = value;
    ImGui::DragFloat(field_id(name).c_str(), &typed, range.speed, range.low, range.high, "%.2f");
    name_item(context, std::string("field ") + name);
    typed = std::clamp(typed, range.low, range.high);
    if (typed == value) return false;
    value = typed;
    return true;
}

bool choice_setting(PanelContext& context, const char* name, int& value,
                    std::span<const char* const> choices) {
    label_left(name);
    const std::string shown = std::string(choices[static_cast<std::size_t>(value)]) + "  ▾";
    int picked = value;
    const bool is_open =
        ImGui::BeginCombo(field_id(name).c_str(), shown.c_str(), ImGuiComboFlags_NoArrowButton);
    name_item(context, std::string("field ") + name);
    if (is_open) {
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (ImGui::Selectable(choices[i], value == static_cast<int>(i)))
                picked = static_cast<int>(i);
            name_item(context, std::string("choice ") + choices[i]);
        }
        ImGui::EndCombo();
    }
    if (picked == value) return false;
    value = picked;
    return true;
}

bool button(PanelContext& context, const char* label, const char* hint_text, Enabled enabled) {
    ImGui::BeginDisabled(enabled == Enabled::No);
    const bool is_pressed = ImGui::Button(label);
    ImGui::EndDisabled();
    name_item(context, std::string("button ") + label);
    if (hint_text) tooltip(hint_text);
    return is_pressed;
}

void same_line_if_fits(const char* label) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x;
    const float right = ImGui::GetWindowPos().x + right_edge();
    if (ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= right) ImGui::SameLine();
}

void hint(PanelContext& context, const std::string& text) {
    context.painter.push_font(Font::Regular, 11);
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.muted));
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
    context.painter.pop_font();
}

void fact(PanelContext&, const char* name, const std::string& value) {
    ImGui::TextUnformatted(name);
    ImGui::SameLine(right_edge() - ImGui::CalcTextSize(value.c_str()).x);
    ImGui::TextUnformatted(value.c_str());
}

void formula(PanelContext& context, const std::string& text) {
    const float width = ImGui::GetContentRegionAvail().x;
    FormulaStyle style{13, context.theme.muted, Font::Math};
    while (style.size > 9 && formula_width(text, style, context.painter.measure()) > width)
        style.size -= 0.5f;
    Figure figure{width, 20, {}};
    add_formula(figure, {0, 14}, text, style, context.painter.measure());
    place_figure(context, figure);
}

Point place_figure(PanelContext& context, const Figure& figure) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    context.painter.draw(figure, {at.x, at.y});
    ImGui::Dummy({figure.width, figure.height});
    return {at.x, at.y};
}

void point_at_word(PanelContext& context, std::optional<Index> word) {
    if (!word) return;
    const Pointed pointed = point_at_item(*word);
    context.selection.hover(pointed);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.selection.hold(pointed);
}

Point pointer_in(Point origin) {
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        return {-1e6f, -1e6f};
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return {mouse.x - origin.x, mouse.y - origin.y};
}

}  // namespace headlight::widgets
