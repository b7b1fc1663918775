#include "paint/words/heatmap_header.h"

#include <algorithm>

#include "paint/labels.h"
#include "paint/words/formula.h"

namespace headlight {
namespace {

std::vector<std::string> title_on_lines(const HeatmapInput& input, const MeasureText& measure) {
    if (input.title.empty()) return {};
    const TextMark title{{}, input.title, kHeatmapTitle, {}, Font::Bold};
    const float room = input.width - 2 * kFigurePad - input.corner;
    const bool is_wide = measure(title.text, title.size, title.font) > room;
    if (!is_wide || !input.symbol.empty() || input.times.most > 1) return {input.title};
    return wrapped_lines(title, room, measure);
}

}  // namespace

HeatmapHeader break_header(const HeatmapInput& input, bool is_formula_beside,
                           const MeasureText& measure) {
    constexpr float kLeast = 10;  // size of a formula that goes on below
    HeatmapHeader header{title_on_lines(input, measure), {}, 0};
    if (input.formula.empty()) return header;
    FormulaStyle style{kHeatmapFormula, {}};
    const float room = input.width - 2 * kFigurePad;
    style.size *= std::min(1.0f, room / formula_width(input.formula, style, measure));
    const bool has_one_line = is_formula_beside || input.times.most > 1 || style.size >= kLeast;
    if (!has_one_line) style.size = kLeast;
    header.formula_size = style.size;
    header.formula_lines = has_one_line ? std::vector{input.formula}
                                        : wrapped_formula(input.formula, room, style, measure);
    return header;
}

}  // namespace headlight
