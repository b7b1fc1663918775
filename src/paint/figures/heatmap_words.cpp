// What the layout of a heatmap shares with other pictures of matrices.
#include <algorithm>

#include "paint/figures/heatmap_layout.h"
#include "paint/words/formula.h"

namespace headlight {

std::vector<std::string> caption_lines(const std::string& caption) {
    if (caption.empty()) return {};
    const auto arrow = caption.find("↓");
    const auto cut = caption.find(' ', arrow == std::string::npos ? 0 : arrow);
    if (cut == std::string::npos) return {caption};
    return {caption.substr(0, cut), caption.substr(cut + 1)};
}

bool are_counted(const std::vector<std::string>& labels) {
    for (std::size_t k = 0; k < labels.size(); ++k)
        if (labels[k] != std::to_string(k)) return false;
    return true;
}

float caption_height(const HeatmapInput& input) {
    const auto lines = static_cast<float>(caption_lines(input.caption).size());
    return lines > 0 ? lines * kCaptionLine + 8 : 0;
}

std::optional<float> formula_beside(const HeatmapInput& input, const MeasureText& measure) {
    constexpr float kBetween = 18;
    if (input.times.most <= 1 || input.title.empty() || input.formula.empty()) return std::nullopt;
    const float left = kFigurePad + measure(input.title, kHeatmapTitle, Font::Bold) + kBetween;
    const float width = formula_width(input.formula, {kHeatmapFormula, {}}, measure);
    const float room = input.width - kFigurePad - input.corner;
    return left + width <= room ? std::optional(left) : std::nullopt;
}

Box mini_box(Index rows, Index columns, float max_side) {
    if (rows <= 0 || columns <= 0) return {};
    const float aspect = std::clamp(static_cast<float>(columns) / rows, 0.4f, 2.5f);
    return aspect > 1 ? Box{0, 0, max_side, max_side / aspect}
                      : Box{0, 0, max_side * aspect, max_side};
}

}  // namespace headlight
