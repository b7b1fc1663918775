// The inspector's head: which cell, its value, and the arithmetic that made it.
#include <algorithm>
#include <imgui.h>

#include "ui/panels/cell_story.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/widgets/term_list.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// The end of a path, which says most, where there is no room for all of it.
std::string fitting_path(const std::string& path, float width) {
    std::string text = path;
    for (std::size_t at = 0; ImGui::CalcTextSize(text.c_str()).x > width;) {
        const std::size_t dot = path.find('.', at);
        if (dot == std::string::npos) break;
        at = dot + 1;
        text = "…" + path.substr(at);
    }
    return text;
}

/// The most terms that leave room for the panels below.
Index most_terms() {
    return static_cast<Index>(std::clamp((ImGui::GetIO().DisplaySize.y - 700) / 25, 3.0f, 12.0f));
}

class CellPanel final : public Panel {
  public:
    const char* title() const override { return "Cell"; }
    const char* help() const override {
        return "The cell under the pointer, or the held one, with the numbers that it is computed "
               "from. Rows are queries, columns are keys. Point at a term to see its cells, click "
               "it to go there; I shows everything larger.";
    }

    void draw(PanelContext& context) override {
        const auto& cell = context.selection.current_cell();
        if (!context.trace || !cell) return draw_empty(context);
        const Trace& trace = *context.trace;
        if (!trace.at(cell->path).value) return draw_empty(context);
        draw_path(context, cell->path);
        draw_cell_title(context, *cell, 22);
        draw_compared_cell(context, *cell);
        const auto steps =
            arithmetic_steps(trace, trace.id_at(cell->path), cell->row, cell->column);
        draw_arithmetic(context, steps, {});
        terms_.draw(context, steps, most_terms());
        draw_way_back(context);
    }

  private:
    static void draw_empty(PanelContext& context) {
        widgets::hint(context,
                      "Point at a cell of any matrix to read the arithmetic that made it. "
                      "A click holds it; Esc lets it go.");
    }

    static void draw_path(PanelContext& context, const std::string& path) {
        context.painter.push_font(Font::Mono, 12);
        const float width = ImGui::GetContentRegionAvail().x;
        ImGui::TextDisabled("%s", fitting_path(path, width).c_str());
        widgets::tooltip(path.c_str());
        context.painter.pop_font();
    }

    TermList terms_{TermForm::Compact};
};

}  // namespace

std::unique_ptr<Panel> make_cell_panel() {
    return std::make_unique<CellPanel>();
}

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
