#include "paint/figures/line_figure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "paint/number_format.h"

namespace headlight {

WordLinesFigure line_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure) {
    return input.texts == WordLinesInput::Texts::One ? arcs_figure(input, theme, measure)
                                                     : two_lines_figure(input, theme, measure);
}

bool LineTexts::add(TextMark mark) {
    if (mark.text.empty()) return false;
    const float half = measure_(mark.text, mark.size, mark.font) / 2;
    const float first = room_.left + half;
    mark.align = Align::Middle;
    mark.at.x = std::clamp(mark.at.x, first, std::max(first, room_.right - half));
    if (!taken_.take(mark.at.x - half - room_.gap, mark.at.x + half + room_.gap)) return false;
    figure_.add(std::move(mark));
    return true;
}

TextMark weight_mark(Point at, Scalar weight, float size, const Theme& theme) {
    constexpr auto kFaint = Scalar(0.005);  // it reads 0.00
    return {at,
            format_cell(weight, 2),
            size,
            std::abs(weight) < kFaint ? theme.muted : theme.text,
            Font::Regular,
            Align::Middle};
}

std::vector<std::size_t> by_value(const std::vector<Scalar>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(values[a]) > std::abs(values[b]);
    });
    return order;
}

}  // namespace headlight
