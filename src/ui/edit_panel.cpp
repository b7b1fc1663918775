// Changing the held cell: its value, pins, the mask, and taking changes back.
#include <imgui.h>

#include "model/edits.h"
#include "paint/number_format.h"
#include "ui/cell_edits.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

class EditPanel final : public Panel {
  public:
    const char* title() const override { return "Edit"; }
    const char* help() const override {
        return "On a weight, a value set by hand is an edit. On a computed matrix it is a pin: the "
               "cell "
               "keeps its value while everything before it changes.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const auto& held = context.selection.held().cell;
        if (held && context.trace->at(held->path).value)
            draw_cell(context, *held);
        else
            widgets::hint(context, "Click a cell to hold it, then change it here; or drag it.");
        draw_all(context);
    }

  private:
    void draw_cell(PanelContext& context, const PointedCell& cell) {
        const Tensor& tensor = context.trace->at(cell.path);
        draw_value(context, tensor, cell);
        const bool is_held = tensor.hold.find(cell.row, cell.column) != nullptr;
        if (!tensor.is_leaf() &&
            widgets::button(context, "Pin",
                            "Holds the cell at its value while what is before it changes",
                            is_held ? widgets::Enabled::No : widgets::Enabled::Yes))
            push_set_cell(context, cell, value_at(*context.trace, cell));
        if (!tensor.is_leaf()) draw_pin_matrix(context, tensor);
        draw_ablation(context);
        draw_mask_button(context, cell);
        draw_resets(context, tensor, cell, is_held);
        draw_row_rule(context, tensor);
    }

    void draw_value(PanelContext& context, const Tensor& tensor, const PointedCell& cell) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("Value");
        ImGui::SameLine(widgets::right_edge() - 96);
        ImGui::SetNextItemWidth(96);
        auto value = static_cast<float>(value_at(*context.trace, cell));
        if (context.selection.take_ask_to_type()) ImGui::SetKeyboardFocusHere();
        const auto step = static_cast<float>(drag_step(tensor));
        if (ImGui::DragFloat("##value", &value, step, 0, 0, "%.4g"))
            push_set_cell(context, cell, static_cast<Scalar>(value), "value");
        widgets::name_item(context, "field Value");
        if (ImGui::IsItemDeactivated()) context.edits.end_gesture();
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) context.selection.ask_to_animate({cell});
        widgets::tooltip(
            "Drag, or double-click the field or the cell and type; right-click to animate it");
    }

    static void draw_pin_matrix(PanelContext& context, const Tensor& tensor) {
        ImGui::SameLine();
        if (widgets::button(
                context, "Pin matrix",
                "Holds every cell of the matrix at its value while what is before changes"))
            context.edits.push("Pin " + tensor.path,
                               [whole = context.whole->at(tensor.path)](Document& document) {
                                   if (whole.value) set_tensor(document, whole, *whole.value);
                               });
    }

    static void draw_resets(PanelContext& context, const Tensor& tensor, const PointedCell& cell,
                            bool is_held) {
        if (widgets::button(context, "Reset cell", "Takes back what was set by hand",
                            is_held ? widgets::Enabled::Yes : widgets::Enabled::No))
            push_reset_cell(context, cell);
        ImGui::SameLine();
        const bool has_holds = !tensor.hold.cells.empty();
        if (widgets::button(context, "Reset matrix",
                            "Takes back every value set by hand in this matrix",
                            has_holds ? widgets::Enabled::Yes : widgets::Enabled::No))
            context.edits.push("Reset " + tensor.path, [path = tensor.path](Document& document) {
                reset_tensor(document, path);
            });
    }

    /// Pins the head's Z at 0, so that it adds nothing to the output.
    static void draw_ablation(PanelContext& context) {
        const Trace& trace = *context.trace;
        const Part* attention = shown_attention(context.parts, context.selection);
        if (!attention) return;
        const int head = context.selection.head;
        const std::string of_head = head_path(*attention, head);
        const std::string path = of_head + (trace.find(of_head + ".z") ? ".z" : ".out");
        if (!trace.find(path)) return;
        const Tensor& z = context.whole->at(path);
        const bool is_ablated = !z.hold.cells.empty() && z.value && (z.value->array() == 0).all();
        const std::string name = "head " + std::to_string(head);
        widgets::same_line_if_fits("Restore head");
        if (!widgets::button(context, is_ablated ? "Restore head" : "Ablate head",
                             "Pins what the head adds to the output at 0"))
            return;
        context.edits.push(
            (is_ablated ? "Restore " : "Ablate ") + name,
            [path, is_ablated, rows = z.rows.size, columns = z.columns.size](Document& document) {
                reset_tensor(document, path);
                if (!is_ablated) document.holds[path] = hold_all(Matrix::Zero(rows, columns));
            });
    }

    static void draw_row_rule(PanelContext& context, const Tensor& tensor) {
        if (tensor.quantity != Quantity::Probability || tensor.hold.cells.empty()) return;
        int rule = static_cast<int>(tensor.hold.rows);
        constexpr const char* kRules[] = {"kept", "scaled"};
        if (widgets::choice_setting(context, "Rest of the row", rule, kRules))
            context.edits.push("Set the rest of the row to " + std::string(kRules[rule]),
                               [path = tensor.path, rule](Document& document) {
                                   document.holds[path].rows = static_cast<RowRule>(rule);
                               });
        widgets::hint(context, rule == 0
                                   ? "The other cells keep their values; the row's sum changes."
                                   : "The other cells are scaled together: the row sums to 1.");
    }

    static void draw_mask_button(PanelContext& context, const PointedCell& cell) {
        const Focus focus = context.selection.held().focus;
        const Tensor* mask = shown_mask(context);
        if (!mask || !focus.query || !focus.key || cell.path == mask->path ||
            focus.query_list != mask->rows.list || focus.key_list != mask->columns.list ||
            *focus.query >= mask->rows.size || *focus.key >= mask->columns.size)
            return;
        const bool is_open = (*mask->value)(*focus.query, *focus.key) != kMasked;
        widgets::same_line_if_fits("Unmask this pair");
        if (widgets::button(context, is_open ? "Mask this pair" : "Unmask this pair",
                            "Sets the mask's cell: −∞ forbids the query to read the key"))
            push_toggle_mask(context, *focus.query, *focus.key);
    }

    /// Everything that was set by hand in the study.
    static void draw_all(PanelContext& context) {
        std::size_t n_cells = 0;
        for (const auto& [path, hold] : context.document.holds) n_cells += hold.cells.size();
        if (n_cells == 0) return;
        const std::string what = format_count(static_cast<Index>(n_cells)) +
                                 (n_cells == 1 ? " cell" : " cells") + " set by hand in " +
                                 std::to_string(context.document.holds.size()) +
                                 (context.document.holds.size() == 1 ? " matrix" : " matrices");
        widgets::hint(context, what);
        const auto dormant = dormant_holds(*context.trace, context.document.holds);
        if (!dormant.empty())
            widgets::hint(context, std::to_string(dormant.size()) +
                                       " of them wait: their matrices have another shape now.");
        if (widgets::button(context, "Reset all", "Takes back every edit and pin of this study"))
            context.edits.push("Reset all edits",
                               [](Document& document) { document.holds.clear(); });
    }
};

}  // namespace

std::unique_ptr<Panel> make_edit_panel() {
    return std::make_unique<EditPanel>();
}

}  // namespace headlight
