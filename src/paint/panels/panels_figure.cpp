// Several matrices of one shape in one figure.
#include "paint/panels/panels_figure.h"

#include "paint/figure_parts.h"
#include "paint/figures/heatmap_figure.h"
#include "paint/labels.h"
#include "paint/legend.h"
#include "paint/words/cut_texts.h"
#include "paint/words/formula.h"
#include "paint/words/symbol_title.h"

namespace headlight {
namespace {

class PanelsPainter {
  public:
    PanelsPainter(const PanelsInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure), plan_(lay_out_panels(input, measure)) {}

    PanelsFigure paint() {
        made_.problem = plan_.problem;
        if (!made_.problem.empty()) return std::move(made_);
        made_.figure.width = plan_.size.x;
        made_.figure.height = plan_.size.y;
        add_formula_lines();
        for (std::size_t k = 0; k < input_.panels.size(); ++k) add_panel(k);
        for (std::size_t k = 0; k < input_.bars.size(); ++k) add_bar_at(k);
        made_.bars = plan_.bars;
        titles_.tell(made_.figure);
        return std::move(made_);
    }

  private:
    void add_formula_lines() {
        const FormulaStyle style{kPanelsFormula * input_.label_size, theme_.muted};
        const float room = plan_.size.x - 2 * kFigurePad;
        CutTexts cut("formulas");
        Point at{kFigurePad, plan_.formula_baseline};
        for (const std::string& line : plan_.formula_lines) {
            const std::string shown = shortened_formula(line, room + 0.5f, style, measure_);
            cut.count(shown != line);
            add_formula(made_.figure, at, shown, style, measure_);
            at.y += plan_.formula_line;
        }
        cut.tell(made_.figure);
    }

    void add_panel(std::size_t k) {
        const HeatmapLayout& layout = plan_.panels[k];
        HeatmapInput matrix = input_.panels[k].matrix;
        matrix.title.clear();
        matrix.formula.clear();
        if (layout.shown_rows.empty() && !matrix.row_labels.empty()) matrix.caption.clear();
        if (k >= static_cast<std::size_t>(plan_.across) && layout.shown_columns.empty())
            matrix.caption.clear();
        matrix.label_size = input_.label_size;
        matrix.width = plan_.size.x;
        matrix.height = plan_.size.y;
        const HeatmapFigure drawn = heatmap_in_layout(matrix, layout, theme_, measure_);
        add_part(made_.figure, drawn.figure, {0, 0});
        made_.grids.push_back(drawn.grid);
        add_title(k);
    }

    /// "(a) Layer 0 · head 1"
    void add_title(std::size_t k) {
        const std::string letter = panel_letter(k);
        const float size = input_.label_size;
        const Point at = plan_.titles[k];
        made_.figure.add(TextMark{at, letter, size, theme_.text, Font::Bold});
        const float left = measure_(letter + " ", size, Font::Bold);
        std::vector<std::string> lines =
            title_lines(input_.panels[k], k, plan_.form, size, measure_);
        while (lines.size() > plan_.form.n_lines) {
            lines[lines.size() - 2] += " " + lines.back();
            lines.pop_back();
        }
        TextMark title{{at.x + left, at.y}, "", size, theme_.text};
        for (std::size_t n = 0; n < lines.size(); ++n, title.at.y += size * kLineHeight) {
            title.text = lines[n];
            add_symbol_title(made_.figure, title,
                             n == 0 ? input_.panels[k].matrix.symbol : std::string(),
                             plan_.form.width - left + 0.5f, measure_, &titles_);
        }
    }

    void add_bar_at(std::size_t k) {
        LegendInput legend{plan_.bars[k], input_.bars[k].scale, input_.bars[k].name};
        legend.clipped = input_.bars[k].clipped;
        if (plan_.bars_at == PanelsLayout::Bars::Below)
            legend.direction = LegendInput::Direction::Lying;
        add_legend(made_.figure, legend, theme_, measure_);
    }

    const PanelsInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    PanelsLayout plan_;
    CutTexts titles_{"titles"};
    PanelsFigure made_;
};

}  // namespace

PanelsFigure panels_figure(const PanelsInput& input, const Theme& theme,
                           const MeasureText& measure) {
    return PanelsPainter(input, theme, measure).paint();
}

}  // namespace headlight
