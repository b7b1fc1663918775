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

}  // namespace headlight
