#include "ui/widgets/value_field.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <utility>

#include "io/text/json_text.h"
#include "model/changes.h"
#include "paint/number_format.h"
#include "scene/block_edits.h"
#include "scene/cell_edits.h"
#include "ui/compat.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kFieldWidth = 84, kButton = 24, kFieldGap = 4;

/// A field into which a first digit was typed goes on after it, instead of replacing it.
void place_caret(ImGuiInputTextCallbackData* data) {
    data->CursorPos = data->BufTextLen;
    data->ClearSelection();
}

void step_text(ImGuiInputTextCallbackData* data, Scalar by) {
    const auto number = parse_typed_number({data->Buf, static_cast<std::size_t>(data->BufTextLen)});
    if (!number) return;
    const std::string text = number_text(rounded_to(*number + by, std::abs(by) / 10));
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
}

void draw_step_button(PanelContext& context, const ChosenCells& cells, const char* sign,
                      const char* name, Scalar by) {
    ImGui::PushButtonRepeat(true);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
    if (ImGui::Button(sign, {kButton, 0})) context.edits.push(step_edit(*context.trace, cells, by));
    ImGui::PopStyleVar();
    ImGui::PopButtonRepeat();
    widgets::name_item(context, std::string("button ") + name);
    const std::string tooltip = std::string("A step ") + (by < 0 ? "down" : "up") + ": " +
                                format_value(std::abs(by)) + "\nAlt+↑ ↓, or the wheel with Alt";
    widgets::tooltip(tooltip.c_str());
}

}  // namespace

void ValueField::draw(PanelContext& context, const Tensor& tensor, const PointedCell& cell) {
    if (const auto asked = context.requests.take_typed()) {
        if (typing_ && typing_->cell == cell)
            typing_->text += *asked;
        else
            begin(context, cell, *asked);
    }
    if (typing_ && !(typing_->cell == cell)) typing_.reset();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Value");
    ImGui::SameLine(widgets::right_edge() - kFieldWidth - 2 * (kButton + kFieldGap));
    const auto cells = chosen_cells(*context.trace, context.selection);
    const bool has_steps = cells && tensor.quantity() != Quantity::Mask;
    ImGui::BeginDisabled(!has_steps);
    const Scalar step = cell_step(tensor);
    if (cells) draw_step_button(context, *cells, "−", "Step down", -step);
    ImGui::EndDisabled();
    ImGui::SameLine(0, kFieldGap);
    ImGui::SetNextItemWidth(kFieldWidth);
    if (typing_)
        draw_typing(context, tensor);
    else
        draw_number(context, tensor, cell);
    ImGui::SameLine(0, kFieldGap);
    ImGui::BeginDisabled(!has_steps);
    if (cells) draw_step_button(context, *cells, "+", "Step up", step);
    ImGui::EndDisabled();
}

void ValueField::begin(const PanelContext& context, const PointedCell& cell,
                       const std::string& text) {
    const std::string shown = number_text(value_at(*context.trace, cell));
    typing_ = Typing{.cell = cell, .text = text.empty() ? shown : text, .before = {}};
    typing_->began_in_cell = !text.empty();
    if (text.empty()) typing_->applied = shown;
    const auto intervention = context.document.interventions.find(cell.path);
    if (intervention != context.document.interventions.end())
        typing_->before = intervention->second;
}

void ValueField::draw_number(PanelContext& context, const Tensor& tensor, const PointedCell& cell) {
    auto value = static_cast<float>(value_at(*context.trace, cell));
    const auto step = static_cast<float>(drag_step(tensor));
    if (ImGui::DragFloat("##value", &value, step, 0, 0, "%.4g", ImGuiSliderFlags_NoInput))
        context.edits.push(
            set_cell_edit(*context.trace, cell, static_cast<Scalar>(value), "value"));
    widgets::name_item(context, "field Value");
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemDeactivated()) context.edits.end_gesture();
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        begin(context, cell, {});
    if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) context.requests.animation.ask({cell});
    widgets::tooltip(
        "Drag, or type: double-click here or on the cell, or hold the cell and type; right-click "
        "to animate it");
}

void ValueField::draw_typing(PanelContext& context, const Tensor& tensor) {
    Typing& typing = *typing_;
    context.requests.keep_tab();
    if (!typing.has_focus) {
        ImGui::SetScrollHereY();
        compat::focus_next_item();
    }
    typing.step = cell_step(tensor);
    const auto on_key = [](ImGuiInputTextCallbackData* data) {
        Typing& typing = *static_cast<Typing*>(data->UserData);
        if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
            typing.must_end = true;
            typing.right = ImGui::GetIO().KeyShift ? -1 : 1;
        } else if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
            step_text(data, data->EventKey == ImGuiKey_UpArrow ? typing.step : -typing.step);
        } else if (!typing.has_focus && typing.began_in_cell) {
            place_caret(data);
        }
        return 0;
    };
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_CallbackCompletion |
                                ImGuiInputTextFlags_CallbackHistory |
                                ImGuiInputTextFlags_CallbackAlways;
    if (!typing.began_in_cell) flags |= ImGuiInputTextFlags_AutoSelectAll;
    ImGui::InputText("##typed value", &typing.text, flags, on_key, &typing);
    widgets::name_item(context, "field Value");
    typing.has_focus = typing.has_focus || ImGui::IsItemActive();
    if (std::exchange(typing.applied, typing.text) != typing.text)
        if (const auto number = parse_typed_number(typing.text))
            context.edits.push(set_cell_edit(*context.trace, typing.cell, *number, "value"));
    // ImGui 1.90 would hear an Esc only a frame after the first.
    if (ImGui::IsItemActive() && compat::is_key_pressed(Key::Escape)) typing.must_end = true;
    const bool is_enter = compat::is_key_pressed(Key::Enter);
    if (typing.has_focus && is_enter && typing.began_in_cell) typing.down = 1;
    if (ImGui::IsItemDeactivated() || typing.must_end) finish(context, tensor);
}

/// Esc takes back what was typed; Tab and Enter go on to the next cell.
void ValueField::finish(PanelContext& context, const Tensor& tensor) {
    const Typing typing = *std::exchange(typing_, {});
    if (compat::is_key_pressed(Key::Escape)) {
        context.edits.push(
            "Set " + cell_label(*context.trace, typing.cell),
            [typing](Document& document) {
                reset_tensor(document, typing.cell.path);
                if (typing.before) document.interventions[typing.cell.path] = *typing.before;
            },
            "value");
    }
    context.edits.end_gesture();
    if (typing.down == 0 && typing.right == 0) return;
    const Index row = std::min(typing.cell.row + typing.down, tensor.rows().size - 1);
    const Index column =
        std::clamp<Index>(typing.cell.column + typing.right, 0, tensor.columns().size - 1);
    context.selection.keep_held(point_at(*context.trace, tensor, row, column));
}

}  // namespace headlight
