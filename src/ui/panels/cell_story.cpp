#include "ui/panels/cell_story.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "core/analyses/influence.h"
#include "paint/labels.h"
#include "paint/number_format.h"
#include "paint/words/formula.h"
#include "scene/cell_edits.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kPad = 12;

/// The same number in another matrix; the steps before have said it.
bool is_moved(const ArithmeticStep& step) {
    const Explanation& e = step.explanation;
    return e.finish.empty() && e.terms.size() == 1 && e.terms[0].cells.size() == 1;
}

/// The arithmetic's lines, with as many terms as fit.
std::vector<std::string> fitting_lines(PanelContext& context,
                                       const std::vector<ArithmeticStep>& steps, float width,
                                       const StoryStyle& look) {
    const FormulaStyle smallest{look.smallest, context.theme.text, Font::Math};
    const auto fits = [&](const std::string& line) {
        return formula_width(line, smallest, context.painter.measure()) <= width;
    };
    std::vector<std::string> all;
    for (const ArithmeticStep& step : steps) {
        if (!all.empty() && is_moved(step)) continue;
        auto lines = arithmetic_lines(*context.trace, step, look.most_terms);
        for (std::size_t n = look.most_terms; n > 1 && !std::ranges::all_of(lines, fits);)
            lines = arithmetic_lines(*context.trace, step, --n);
        for (const std::string& line : lines) {
            const std::size_t equals = fits(line) ? std::string::npos : line.find(" = ");
            if (equals != std::string::npos) all.push_back(line.substr(0, equals));
            all.push_back(equals == std::string::npos ? line : line.substr(equals + 1));
        }
    }
    return all;
}

}  // namespace

std::string cell_title(const Trace& trace, const Tensor& tensor, const PointedCell& cell) {
    if (tensor.rows().kind == AxisKind::Edge) return shown_label(trace, tensor.rows(), cell.row);
    if (is_reading(tensor))
        return fmt::format("{} → {}", shown_label(trace, tensor.rows(), cell.row),
                           shown_label(trace, tensor.columns(), cell.column));
    return cell_label(trace, cell);
}

void draw_cell_title(PanelContext& context, const PointedCell& cell, float size) {
    const Tensor& tensor = context.trace->at(cell.path);
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string value = format_value((*tensor.value)(cell.row, cell.column));
    const MeasureText& measure = context.painter.measure();
    Figure figure{width, size + 10, {}};
    TextMark title{.at = {0, size + 2},
                   .text = cell_title(*context.trace, tensor, cell),
                   .size = size,
                   .color = context.theme.text,
                   .font = Font::Bold};
    const auto width_at = [&](float text_size) {
        return measure(title.text, text_size, Font::Bold) + measure(value, text_size, Font::Bold) +
               16;
    };
    while (title.size > 13 && width_at(title.size) > width) title.size -= 1;
    shorten(title, width - measure(value, title.size, Font::Bold) - 16, measure);
    const float title_width = measure(title.text, title.size, Font::Bold);
    figure.add(title);
    figure.add(TextMark{.at = {title_width + 16, size + 2},
                        .text = value,
                        .size = title.size,
                        .color = context.theme.accent,
                        .font = Font::Bold});
    widgets::place_figure(context, figure);
}

void draw_arithmetic(PanelContext& context, const std::vector<ArithmeticStep>& steps,
                     const StoryStyle& style) {
    constexpr float kStoryPitch = 1.5f;
    StoryStyle look = style;
    const float width = ImGui::GetContentRegionAvail().x;
    const std::vector<std::string> lines = fitting_lines(context, steps, width - 2 * kPad, look);
    if (look.height > 0 && !lines.empty()) {
        const float pitch = (look.height - 2 * kPad) / static_cast<float>(lines.size());
        look.size = std::clamp(pitch / kStoryPitch, look.smallest, look.size);
    }
    const float line_height = kStoryPitch * look.size;
    Figure figure{width, static_cast<float>(lines.size()) * line_height + 2 * kPad - 4, {}};
    figure.add(RectMark{{0, 0, width, figure.height}, context.theme.canvas, {}, 0, 8});
    const MeasureText& measure = context.painter.measure();
    float baseline = kPad + look.size - 2;
    for (const std::string& line : lines) {
        FormulaStyle set{look.size, context.theme.text, Font::Math};
        while (set.size > look.smallest && formula_width(line, set, measure) > width - 2 * kPad)
            set.size -= 0.5f;
        add_formula(figure, {kPad, baseline},
                    shortened_formula(line, width - 2 * kPad, set, measure), set, measure);
        baseline += line_height;
    }
    widgets::place_figure(context, figure);
}

void draw_way_back(PanelContext& context) {
    if (!context.selection.can_go_back()) return;
    if (widgets::button(context, "← Back", "Back to the previous cell (Alt+←)"))
        context.selection.go_back(*context.trace, context.components);
}

}  // namespace headlight
