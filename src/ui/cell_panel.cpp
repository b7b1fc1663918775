// The inspector's head: which cell, its value, and the arithmetic that made it.
#include <algorithm>
#include <imgui.h>

#include "core/explain.h"
#include "paint/arithmetic.h"
#include "paint/bars_figure.h"
#include "paint/formula.h"
#include "paint/labels.h"
#include "paint/number_format.h"
#include "paint/plain_formula.h"
#include "ui/cell_edits.h"
#include "ui/panels.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

constexpr std::size_t kWrittenTerms = 2;
constexpr float kLine = 21, kPad = 12, kSmallestLine = 10;
constexpr float kRoomForTerms = 860;  // height of the window, in points

bool is_reading(const Tensor& tensor) {
    return tensor.rows.kind == AxisKind::Edge ||
           (tensor.rows.kind == AxisKind::Query && tensor.columns.kind == AxisKind::Key);
}

std::string cell_title(const Trace& trace, const Tensor& tensor, const PointedCell& cell) {
    if (tensor.rows.kind == AxisKind::Edge) return axis_label(trace, tensor.rows, cell.row);
    if (is_reading(tensor))
        return axis_label(trace, tensor.rows, cell.row) + " → " +
               axis_label(trace, tensor.columns, cell.column);
    return cell_label(trace, cell);
}

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

class CellPanel final : public Panel {
  public:
    const char* title() const override { return "Cell"; }
    const char* help() const override {
        return "The cell under the pointer, or the one that was clicked, with the numbers that it "
               "is "
               "made of. A row looks (query), a column is looked at (key).";
    }

    void draw(PanelContext& context) override {
        const auto& cell = context.selection.current_cell();
        if (!context.trace || !cell) return draw_empty(context);
        const Trace& trace = *context.trace;
        const Tensor& tensor = trace.at(cell->path);
        if (!tensor.value) return draw_empty(context);
        draw_title(context, tensor, *cell);
        const auto steps =
            arithmetic_steps(trace, trace.id_of(cell->path), cell->row, cell->column);
        draw_arithmetic(context, steps);
        draw_terms(context, steps);
    }

  private:
    static void draw_empty(PanelContext& context) {
        widgets::hint(context,
                      "Point at a cell of any matrix to read the arithmetic that made it. "
                      "A click holds it; Esc lets it go.");
    }

    static void draw_title(PanelContext& context, const Tensor& tensor, const PointedCell& cell) {
        context.painter.push_font(Font::Mono, 12);
        const float width = ImGui::GetContentRegionAvail().x;
        ImGui::TextDisabled("%s", fitting_path(cell.path, width).c_str());
        widgets::tooltip(cell.path.c_str());
        context.painter.pop_font();
        const std::string value = format_value((*tensor.value)(cell.row, cell.column));
        const MeasureText& measure = context.painter.measure();
        Figure figure{width, 32, {}};
        TextMark title{.at = {0, 24},
                       .text = cell_title(*context.trace, tensor, cell),
                       .size = 22,
                       .color = context.theme.text,
                       .font = Font::Bold};
        const auto width_at = [&](float size) {
            return measure(title.text, size, Font::Bold) + measure(value, size, Font::Bold) + 16;
        };
        while (title.size > 13 && width_at(title.size) > width) title.size -= 1;
        shorten(title, width - measure(value, title.size, Font::Bold) - 16, measure);
        const float title_width = measure(title.text, title.size, Font::Bold);
        figure.add(title);
        figure.add(TextMark{.at = {title_width + 16, 24},
                            .text = value,
                            .size = title.size,
                            .color = context.theme.accent,
                            .font = Font::Bold});
        widgets::place_figure(context, figure);
    }

    /// The same number in another matrix; the steps before have said it.
    static bool is_moved(const ArithmeticStep& step) {
        const Explanation& e = step.explanation;
        return e.finish.empty() && e.terms.size() == 1 && e.terms[0].cells.size() == 1;
    }

    /// With as many written terms as fit.
    static std::vector<std::string> lines_of(PanelContext& context,
                                             const std::vector<ArithmeticStep>& steps,
                                             float width) {
        const FormulaStyle smallest{kSmallestLine, context.theme.text, Font::Math};
        const auto fits = [&](const std::string& line) {
            return formula_width(line, smallest, context.painter.measure()) <= width;
        };
        std::vector<std::string> all;
        for (const ArithmeticStep& step : steps) {
            if (!all.empty() && is_moved(step)) continue;
            auto lines = arithmetic_lines(*context.trace, step, kWrittenTerms);
            if (!std::all_of(lines.begin(), lines.end(), fits))
                lines = arithmetic_lines(*context.trace, step, 1);
            for (const std::string& line : lines) {
                const std::size_t equals = fits(line) ? std::string::npos : line.find(" = ");
                if (equals != std::string::npos) all.push_back(line.substr(0, equals));
                all.push_back(equals == std::string::npos ? line : line.substr(equals + 1));
            }
        }
        return all;
    }

    static void draw_arithmetic(PanelContext& context, const std::vector<ArithmeticStep>& steps) {
        const float width = ImGui::GetContentRegionAvail().x;
        const std::vector<std::string> lines = lines_of(context, steps, width - 2 * kPad);
        Figure figure{width, static_cast<float>(lines.size()) * kLine + 2 * kPad - 4, {}};
        figure.add(RectMark{{0, 0, width, figure.height}, context.theme.canvas, {}, 0, 8});
        const MeasureText& measure = context.painter.measure();
        float baseline = kPad + 12;
        for (const std::string& line : lines) {
            FormulaStyle style{14, context.theme.text, Font::Math};
            while (style.size > kSmallestLine &&
                   formula_width(line, style, measure) > width - 2 * kPad)
                style.size -= 0.5f;
            add_formula(figure, {kPad, baseline}, line, style, measure);
            baseline += kLine;
        }
        widgets::place_figure(context, figure);
    }

    /// The products that were summed, as bars.
    static void draw_terms(PanelContext& context, const std::vector<ArithmeticStep>& steps) {
        const ArithmeticStep& step = steps.front();
        const bool is_sum_of_products =
            step.explanation.terms.size() > 2 && step.explanation.terms.front().cells.size() == 2;
        const bool has_room = ImGui::GetIO().DisplaySize.y >= kRoomForTerms;
        if (!is_sum_of_products || !has_room) return;
        const Trace& trace = *context.trace;
        const Tensor& tensor = trace[step.tensor];
        widgets::heading(context, plain_formula(tensor.symbol) + " is the sum of");
        BarsInput input{.labels = {},
                        .values = {},
                        .order = BarsInput::Order::StrongestFirst,
                        .max_rows = 4,
                        .color = context.theme.positive,
                        .negative_color = context.theme.negative,
                        .selected = {},
                        .hovered = {},
                        .width = ImGui::GetContentRegionAvail().x};
        for (const Term& term : step.explanation.terms) {
            input.labels.push_back(term_text(term, 2));
            input.values.push_back(term.value);
        }
        widgets::place_figure(context,
                              bars_figure(input, context.theme, context.painter.measure()).figure);
    }
};

}  // namespace

std::unique_ptr<Panel> make_cell_panel() {
    return std::make_unique<CellPanel>();
}

}  // namespace headlight
