// Where several matrices of one shape go in one figure.
#include "paint/panels/panels_layout.h"

#include <algorithm>

#include "paint/labels.h"
#include "paint/legend.h"
#include "paint/panels/panel_sizes.h"

namespace headlight {
namespace {

// In sizes of a label.
constexpr float kTitleBase = 1.05f, kFormulaBase = 1.1f;

constexpr float kTallestBar = 200, kWidestBar = 220;

void leave_out_names(HeatmapLayout& panel, const char* what, const std::vector<std::string>& labels,
                     Index of, const std::vector<Index>& shown) {
    const auto n = static_cast<Index>(shown.size());
    if (n < of && !are_counted(labels)) panel.left_out.push_back({what, of - n, of});
}

/// Places everything of one arrangement.
class PanelPlacer {
  public:
    PanelPlacer(const PanelsInput& input, const PanelSizer& sizer, const PanelSizes& sizes)
        : input_(input), sizer_(sizer), sizes_(sizes) {}

    PanelsLayout place() {
        layout_.across = sizes_.across;
        layout_.bars_at = sizes_.bars;
        layout_.formula_baseline = kFigurePad + kFormulaBase * input_.label_size;
        float top = kFigurePad + sizer_.formula_height();
        for (int row = 0; row < sizes_.down(); ++row) {
            place_row(row, top);
            top = layout_.panels.back().grid.cells.bottom() + sizer_.between_rows();
        }
        place_bars();
        const float free = right_ + sizer_.beside(sizes_.bars) + kFigurePad;
        const float width = std::max(free, right_ + sizes_.overhang + 4);
        const float of_formula = sizer_.widest_formula() + 2 * kFigurePad;
        layout_.size = {std::min(std::max(width, of_formula), input_.width), sizes_.height};
        layout_.form = sizes_.titles;
        layout_.formula_lines = sizer_.formula_lines();
        layout_.formula_line = sizer_.formula_line();
        return std::move(layout_);
    }

  private:
    void place_row(int row, float top) {
        const bool has_band = row == 0 || !sizer_.shares_columns();
        const float own_left = sizer_.shares_rows() ? 0 : sizes_.left;
        const float step = sizes_.cells.x + sizer_.between_panels() + own_left;
        for (int column = 0; column < sizes_.across; ++column) {
            const int k = row * sizes_.across + column;
            if (k >= sizes_.count) return;
            const float x = kFigurePad + sizes_.left + static_cast<float>(column) * step;
            const float y = top + sizer_.title_height(sizes_) + (has_band ? sizes_.band : 0);
            layout_.titles.push_back({x, top + kTitleBase * input_.label_size});
            layout_.panels.push_back(panel_at(k, {x, y}));
            right_ = std::max(right_, x + sizes_.cells.x);
        }
    }

    HeatmapLayout panel_at(int k, Point at) const {
        const HeatmapInput& matrix = input_.panels[static_cast<std::size_t>(k)].matrix;
        HeatmapLayout panel;
        panel.grid = {{at.x, at.y, sizes_.cells.x, sizes_.cells.y},
                      matrix.values->rows(),
                      matrix.values->cols()};
        panel.label_size = input_.label_size;
        panel.row_label_width = std::max(0.0f, sizes_.left - kLabelGap);
        panel.column_band = sizes_.band;
        panel.columns = sizes_.columns;
        panel.column_limit = sizes_.column_limit;
        if (k % sizes_.across == 0 || !sizer_.shares_rows()) {
            const LabelRow names = sizer_.names_of_rows(sizes_, matrix);
            panel.shown_rows = chosen_labels(names);
            leave_out_names(panel, "row labels", matrix.row_labels, names.count, panel.shown_rows);
        }
        if (k < sizes_.across || !sizer_.shares_columns()) {
            const LabelRow names = sizer_.names_of_columns(sizes_, matrix);
            panel.shown_columns = chosen_labels(names);
            leave_out_names(panel, "column labels", matrix.column_labels, names.count,
                            panel.shown_columns);
        }
        return panel;
    }

    /// Beside the panels from the first one down, or below the last one.
    void place_bars() {
        const Box first = layout_.panels.front().grid.cells,
                  last = layout_.panels.back().grid.cells;
        const auto n = static_cast<float>(input_.bars.size());
        const bool is_right = sizes_.bars == PanelsLayout::Bars::Right;
        const float room = is_right ? last.bottom() - first.y : right_ - first.x;
        const float each = (room - (n - 1) * kBetweenBars) / n;
        for (std::size_t k = 0; k < input_.bars.size(); ++k) {
            const float shift = static_cast<float>(k) * (each + kBetweenBars);
            layout_.bars.push_back(is_right ? Box{right_ + kLegendGap, first.y + shift,
                                                  sizer_.bars_width(), std::min(each, kTallestBar)}
                                            : Box{first.x + shift, last.bottom() + kBarBelow,
                                                  std::min(each, kWidestBar), kLegendHeight});
        }
    }

    const PanelsInput& input_;
    const PanelSizer& sizer_;
    const PanelSizes& sizes_;
    PanelsLayout layout_;
    float right_ = 0;  // of all cells
};

}  // namespace

std::string panel_letter(std::size_t panel) {
    std::string letters;
    for (std::size_t rest = panel + 1; rest > 0; rest = (rest - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('a' + (rest - 1) % 26));
    return "(" + letters + ")";
}

std::vector<std::string> title_lines(const PanelInput& panel, std::size_t number,
                                     const PanelTitles& titles, float label_size,
                                     const MeasureText& measure) {
    if (panel.titles.empty()) return {};
    const std::string& title = panel.titles[std::min(titles.form, panel.titles.size() - 1)];
    if (titles.n_lines == 1) return {title};
    const float letter = measure(panel_letter(number) + " ", label_size, Font::Bold);
    return wrapped_lines({{}, title, label_size}, titles.width - letter, measure);
}

PanelsLayout lay_out_panels(const PanelsInput& input, const MeasureText& measure) {
    const PanelSizer sizer(input, measure);
    const PanelSizes best = sizer.best_of(static_cast<int>(input.panels.size()));
    if (best.fits) return PanelPlacer(input, sizer, best).place();
    PanelsLayout none;
    none.problem = sizer.why_not();
    return none;
}

}  // namespace headlight
