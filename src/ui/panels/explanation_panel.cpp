// The explanation of a cell in full width: for a projector, and for all terms of a long sum.
#include <algorithm>
#include <imgui.h>

#include "ui/panels/cell_story.h"
#include "ui/panels/panels.h"
#include "ui/widgets/term_list.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

class ExplanationPanel final : public Panel {
  public:
    const char* title() const override { return "Explanation"; }
    const char* help() const override {
        return "The arithmetic of the cell with its real numbers. Point at a term to see its cells "
               "in the matrices above, click it to go there.";
    }

    void draw(PanelContext& context) override {
        const float width = ImGui::GetContentRegionAvail().x;
        const auto& cell = context.selection.current_cell();
        const bool has_value = cell && context.trace && context.trace->at(cell->path).value;
        if (!has_value) {
            widgets::hint(context, "Point at a cell, or click it, to see how it is computed.");
            return draw_close(context, width);
        }
        const Trace& trace = *context.trace;
        const auto steps =
            arithmetic_steps(trace, trace.id_at(cell->path), cell->row, cell->column);
        const float share = std::clamp(0.38f * width, 200.0f, 640.0f);
        compat::begin_child("story", {share, 0}, compat::Border::No);
        draw_cell_title(context, *cell, 24);
        const float button = ImGui::GetFrameHeight() + 3 * ImGui::GetStyle().ItemSpacing.y;
        const float back = context.selection.can_go_back() ? button : 0;
        draw_arithmetic(context, steps,
                        {.size = 18,
                         .smallest = 12,
                         .most_terms = 4,
                         .height = ImGui::GetContentRegionAvail().y - back});
        draw_way_back(context);
        ImGui::EndChild();
        ImGui::SameLine(0, 22);
        compat::begin_child("table", {0, 0}, compat::Border::No);
        const float table_width = ImGui::GetContentRegionAvail().x;
        draw_close(context, table_width);
        ImGui::SetCursorPos({0, 0});
        terms_.draw(context, steps, 0);
        ImGui::EndChild();
    }

  private:
    static void draw_close(PanelContext& context, float width) {
        ImGui::SetCursorPos({width - 30, 0});
        const bool is_pressed = ImGui::Button("×##explanation");
        widgets::name_item(context, "button Close explanation");
        widgets::tooltip("Closes the explanation (I)");
        if (is_pressed) context.selection.explains = false;
    }

    TermList terms_{TermForm::Wide};
};

}  // namespace

std::unique_ptr<Panel> make_explanation_panel() {
    return std::make_unique<ExplanationPanel>();
}

}  // namespace headlight
