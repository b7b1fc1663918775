#include "figure/guess_marks.h"

#include "figure/color.h"
#include "figure/labels.h"
#include "figure/legend.h"

namespace headlight {
namespace {

constexpr float kRing = 0.22f, kGuessText = 1.3f;  // of the radius

}  // namespace

void cover(HeatmapInput& input, const Theme& theme, const MeasureText& measure) {
    if (input.legend == LegendPlace::Right)
        input.width -= kLegendGap + legend_width(input.scale, measure);
    input.legend = LegendPlace::None;
    input.scale = {.colors = std::vector<Color>(256, mixed(theme.card, theme.muted, 0.22))};
    if (input.values)
        input.values = std::make_shared<const Matrix>(
            Matrix::Zero(input.values->rows(), input.values->cols()));
    input.colored = nullptr;
    input.numbers = HeatmapInput::Numbers::Never;
    input.pinned.clear();
    input.selected = {};
}

void add_guess_mark(Figure& figure, const GuessMark& mark, const Theme& theme) {
    if (mark.state == GuessState::Answer)
        return figure.add(CircleMark{mark.center, 0.6f * mark.radius, theme.text, theme.card,
                                     mark.radius * kRing});
    const bool is_right = mark.state == GuessState::Right;
    const bool is_open = mark.state == GuessState::Open;
    const Color ink = is_right || is_open ? theme.accent : theme.warning;
    figure.add(CircleMark{mark.center, mark.radius, is_right ? ink : theme.card, ink,
                          mark.radius * kRing});
    figure.add(
        TextMark{.at = {mark.center.x, mark.center.y + mark.radius * kGuessText * kMiddleShift},
                 .text = is_open    ? "?"
                         : is_right ? "✓"
                                    : "✗",
                 .size = mark.radius * kGuessText,
                 .color = is_right ? theme.on_accent : ink,
                 .font = Font::Bold,
                 .align = Align::Middle});
}

}  // namespace headlight
