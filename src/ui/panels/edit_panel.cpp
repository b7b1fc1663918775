// Changing the held cell, or the block around it: its value, whole rows at once, the mask.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <utility>

#include "core/intervention.h"
#include "figure/number_format.h"
#include "io/text/json_text.h"
#include "model/changes.h"
#include "ui/compat.h"
#include "ui/panel.h"
#include "ui/panels/panels.h"
#include "ui/widgets/widgets.h"
#include "views/cell_edits.h"
#include "views/explanation_view.h"

namespace headlight {
namespace {

class ValueField {
  public:
    /// Draws a label, a button for a step down, the number, a button for a step up.
    void draw(PanelContext& context, const Tensor& tensor, const CellPlace& cell);

  private:
    struct Typing {
        CellPlace cell;
        std::string text, applied = {};      // the typed text, and the part of it that the cell has
        Scalar step = 0;                     // of the arrows ↑ and ↓
        std::optional<Intervention> before;  // the intervention that Esc brings back
        bool began_in_cell = false;          // then Enter goes on to the cell below
        bool has_focus = false, must_end = false;
        Index down = 0, right = 0;  // the way of the keyboard to the next cell
    };

    void begin(const PanelContext& context, const CellPlace& cell, const std::string& text);
    void draw_number(PanelContext& context, const Tensor& tensor, const CellPlace& cell);
    void draw_typing(PanelContext& context, const Tensor& tensor);
    void finish(PanelContext& context, const Tensor& tensor);

    std::optional<Typing> typing_;
};

constexpr float kValueWidth = 84, kButton = 24, kFieldGap = 4;

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
    const std::string tooltip = fmt::format("A step {}: {}\nAlt+↑ ↓, or the wheel with Alt",
                                            by < 0 ? "down" : "up", format_value(std::abs(by)));
    widgets::tooltip(tooltip.c_str());
}

void ValueField::draw(PanelContext& context, const Tensor& tensor, const CellPlace& cell) {
    if (const auto asked = context.requests.take_typed()) {
        if (typing_ && typing_->cell == cell)
            typing_->text += *asked;
        else
            begin(context, cell, *asked);
    }
    if (typing_ && !(typing_->cell == cell)) typing_.reset();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Value");
    ImGui::SameLine(widgets::right_edge() - kValueWidth - 2 * (kButton + kFieldGap));
    const auto cells = chosen_cells(*context.trace, context.selection);
    const bool has_steps = cells && tensor.quantity() != Quantity::Mask;
    ImGui::BeginDisabled(!has_steps);
    const Scalar step = cell_step(tensor);
    if (cells) draw_step_button(context, *cells, "−", "Step down", -step);
    ImGui::EndDisabled();
    ImGui::SameLine(0, kFieldGap);
    ImGui::SetNextItemWidth(kValueWidth);
    if (typing_)
        draw_typing(context, tensor);
    else
        draw_number(context, tensor, cell);
    ImGui::SameLine(0, kFieldGap);
    ImGui::BeginDisabled(!has_steps);
    if (cells) draw_step_button(context, *cells, "+", "Step up", step);
    ImGui::EndDisabled();
}

void ValueField::begin(const PanelContext& context, const CellPlace& cell,
                       const std::string& text) {
    const std::string shown = number_text(value_at(*context.trace, cell));
    typing_ = Typing{.cell = cell, .text = text.empty() ? shown : text, .before = {}};
    typing_->began_in_cell = !text.empty();
    if (text.empty()) typing_->applied = shown;
    const auto intervention = context.document.interventions.find(cell.path);
    if (intervention != context.document.interventions.end())
        typing_->before = intervention->second;
}

void ValueField::draw_number(PanelContext& context, const Tensor& tensor, const CellPlace& cell) {
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
            // The caret stands at the end: a first digit typed into a field stays, and is not
            // replaced.
            data->CursorPos = data->BufTextLen;
            data->ClearSelection();
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
    context.selection.keep_held(pick_at(*context.trace, tensor, row, column));
}

/// The names of cells around the held one, where they are not just any block.
enum class Extent { Cell, Row, Column, Matrix, Block };
constexpr const char* kExtents[] = {"cell", "row", "column", "matrix", "block"};

Extent chosen_extent(const ChosenCells& cells) {
    const bool has_row = cells.range.columns == cells.tensor.columns().size;
    const bool has_column = cells.range.rows == cells.tensor.rows().size;
    if (cells.range.size() == 1) return Extent::Cell;
    if (has_row && has_column) return Extent::Matrix;
    if (has_row && cells.range.rows == 1) return Extent::Row;
    return has_column && cells.range.columns == 1 ? Extent::Column : Extent::Block;
}

CellRange range_around(Extent extent, const Tensor& tensor, const CellPlace& cell) {
    CellRange range{cell.row, cell.column};
    if (extent == Extent::Row || extent == Extent::Matrix)
        range.column = 0, range.columns = tensor.columns().size;
    if (extent == Extent::Column || extent == Extent::Matrix)
        range.row = 0, range.rows = tensor.rows().size;
    return range;
}

class EditPanel final : public Panel {
  public:
    const char* title() const override { return "Edit"; }
    const char* help() const override {
        return "On a weight, a value set by hand is an edit. On a computed matrix it is a pin: the "
               "cell keeps its value while everything before it changes. Drag over cells with Ctrl "
               "to choose a block. A Ctrl-click on a label takes its row or column, Ctrl+A the "
               "whole matrix.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const auto cells = chosen_cells(*context.trace, context.selection);
        if (!cells)
            return widgets::hint(context,
                                 "Click a cell to hold it, then change it here; or drag it. Drag "
                                 "with Ctrl to hold several.");
        const CellPlace cell = *context.selection.held().cell;
        // The inspector above shows the cell under the pointer, which may be another one.
        widgets::hint(context, cell_title(*context.trace, cells->tensor, cell));
        value_.draw(context, cells->tensor, cell);
        draw_extent(context, *cells, cell);
        draw_change(context, *cells);
        draw_pin_and_reset(context, *cells);
        draw_clipboard(context, *cells);
        draw_mask(context, *cells);
        draw_row_rule(context, cells->tensor);
    }

  private:
    /// Says which cells the buttons below change.
    static void draw_extent(PanelContext& context, const ChosenCells& cells,
                            const CellPlace& cell) {
        const Extent extent = chosen_extent(cells);
        int choice = static_cast<int>(extent);
        const std::size_t n_choices = extent == Extent::Block ? 5 : 4;
        if (widgets::choice_setting(context,
                                    {"Apply to", "Which cells the buttons below change and copy"},
                                    choice, std::span(kExtents, n_choices)))
            context.selection.hold_block(
                context.selection.held(),
                range_around(static_cast<Extent>(choice), cells.tensor, cell));
        if (extent != Extent::Cell) widgets::hint(context, cells_in_words(cells));
    }

    void draw_change(PanelContext& context, const ChosenCells& cells) {
        constexpr float kApply = 54, kOperand = 56, kGap = 4;
        const auto changes = cell_changes();
        std::vector<const char*> names;
        for (const NamedChange& change : changes) names.push_back(change.name);
        const NamedChange& chosen = changes[static_cast<std::size_t>(chosen_)];
        const float room = widgets::right_edge() - ImGui::GetCursorPosX() - kApply - kGap;
        const bool has_operand = chosen.operand != Operand::None;
        ImGui::SetNextItemWidth(has_operand ? room - kOperand - kGap : room);
        widgets::choice_field(context, "Change", chosen_, names);
        widgets::tooltip(chosen.what);
        if (has_operand) {
            ImGui::SameLine(0, kGap);
            ImGui::SetNextItemWidth(kOperand);
            draw_operand(context, chosen.operand);
        }
        ImGui::SameLine(0, kGap);
        if (!widgets::button(context, "Apply",
                             fmt::format("{}: {}", cells_in_words(cells), chosen.what).c_str()))
            return;
        context.edits.push(change_edit(*context.trace, cells,
                                       {.kind = chosen.change,
                                        .number = static_cast<Scalar>(number_),
                                        .seed = static_cast<std::uint64_t>(seed_)}));
    }

    void draw_operand(PanelContext& context, Operand operand) {
        if (operand == Operand::Number) {
            ImGui::InputFloat("##number", &number_, 0, 0, "%.4g",
                              ImGuiInputTextFlags_AutoSelectAll);
            widgets::name_item(context, "field Number");
            return;
        }
        ImGui::DragInt("##seed", &seed_, 0.05f, 0, 1 << 30, "seed %d");
        widgets::name_item(context, "field Seed");
    }

    static void draw_pin_and_reset(PanelContext& context, const ChosenCells& cells) {
        const auto& cells_set = cells.tensor.intervention.cells;
        const auto n_set = std::count_if(
            cells_set.begin(), cells_set.end(),
            [&](const CellValue& cell) { return cells.range.contains(cell.row, cell.column); });
        const bool is_leaf = cells.tensor.is_leaf();
        const auto when = [](bool condition) {
            return condition ? widgets::Enabled::Yes : widgets::Enabled::No;
        };
        if (!is_leaf) {
            if (widgets::button(
                    context, "Pin",
                    "Keeps the cells at their values while everything before them changes",
                    when(n_set < cells.range.size())))
                context.edits.push(pin_edit(*context.trace, cells));
            ImGui::SameLine();
        }
        if (widgets::button(context, "Reset", "Removes the values set by hand in these cells",
                            when(n_set > 0)))
            context.edits.push(reset_edit(*context.trace, cells));
    }

    static void draw_clipboard(PanelContext& context, const ChosenCells& cells) {
        const auto copy = [&](NumbersFormat format) {
            ImGui::SetClipboardText(copied_text(cells, format).c_str());
        };
        widgets::same_line_if_fits("Copy");
        if (widgets::button(context, "Copy", "For a spreadsheet, with all digits  (Ctrl+C)"))
            copy(NumbersFormat::Tsv);
        widgets::same_line_if_fits("Copy as…");
        if (widgets::button(context, "Copy as…", "For a paper or a program"))
            ImGui::OpenPopup("copy as");
        if (ImGui::BeginPopup("copy as")) {
            context.regions.begin_popup();
            for (const auto& [name, format] : {std::pair("LaTeX", NumbersFormat::Latex),
                                               {"NumPy", NumbersFormat::NumPy},
                                               {"Markdown", NumbersFormat::Markdown}}) {
                if (ImGui::Selectable(name)) copy(format);
                widgets::name_item(context, std::string("choice ") + name);
            }
            context.regions.end_popup();
            if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
            ImGui::EndPopup();
        }
        widgets::same_line_if_fits("Paste");
        if (!widgets::button(context, "Paste",
                             "Pastes numbers from the clipboard, starting at the first of these "
                             "cells  (Ctrl+V)"))
            return;
        const char* text = ImGui::GetClipboardText();
        context.edits.push(paste_edit(*context.trace, cells, context.selection, text ? text : ""));
    }

    static void draw_mask(PanelContext& context, const ChosenCells& cells) {
        const bool is_mask = cells.tensor.quantity() == Quantity::Mask && cells.tensor.computed;
        const Tensor* mask =
            is_mask ? &cells.tensor
                    : shown_mask(*context.trace, context.components, context.selection);
        if (!mask) return;
        if (is_mask)
            widgets::hint(context,
                          "Press and drag over the large mask to close pairs or open them; "
                          "with Ctrl on a word, its whole row or column.");
        const AxisIndices indices = context.selection.held().indices;
        if (!indices.query || !indices.key || indices.query_list != mask->rows().list ||
            indices.key_list != mask->columns().list || *indices.query >= mask->rows().size ||
            *indices.key >= mask->columns().size)
            return;
        const CellIndex pair{*indices.query, *indices.key};
        const bool is_open = is_open_pair(*mask, pair);
        if (widgets::button(context, is_open ? "Mask this pair" : "Unmask this pair",
                            "Sets the mask's cell: −∞ forbids the query to read the key"))
            context.edits.push(
                mask_edit(*context.trace, *mask, {.cells = {pair}, .opens = !is_open}));
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {1, 1});
        ImGui::Checkbox("Paint mask", &context.selection.paints_mask);
        ImGui::PopStyleVar();
        widgets::name_item(context, "switch Paint mask");
        widgets::tooltip(
            "Press or drag over the large pattern, its scores or the mask: the pairs under the "
            "pointer are closed, or opened if the first was closed");
    }

    static void draw_row_rule(PanelContext& context, const Tensor& tensor) {
        if (tensor.quantity() != Quantity::Probability || tensor.intervention.cells.empty()) return;
        int rule = static_cast<int>(tensor.intervention.rows);
        constexpr const char* kRules[] = {"kept", "scaled"};
        if (widgets::choice_setting(context, "Rest of the row", rule, kRules))
            context.edits.push("Set the rest of the row to " + std::string(kRules[rule]),
                               [path = tensor.path(), rule](Document& document) {
                                   document.interventions[path].rows = static_cast<RowRule>(rule);
                               });
        widgets::hint(context, rule == 0
                                   ? "The other cells keep their values; the row's sum changes."
                                   : "The other cells are scaled together: the row sums to 1.");
    }

    ValueField value_;
    int chosen_ = 0;  // of the changes
    float number_ = 0;
    int seed_ = 1;
};

}  // namespace

std::unique_ptr<Panel> make_edit_panel() {
    return std::make_unique<EditPanel>();
}

}  // namespace headlight
