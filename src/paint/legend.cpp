// The legend of a colour scale: a bar, numbers, the name of the scale.
#include "paint/legend.h"

#include <algorithm>

#include "paint/labels.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

constexpr float kBar = 9;  // thickness
constexpr float kNumberSize = 9.5f, kNameSize = 10;
constexpr float kTick = 3;
constexpr int kSteps = 128;

std::vector<Scalar> legend_ticks(const ColorScale& scale, float length) {
    return ticks(scale.low, scale.high, length < 60 ? 3 : 5);
}

/// The scale's own values along the bar, from the first colour to the last or the other way.
MatrixPtr bar_values(const ColorScale& scale, LegendInput::Direction direction) {
    const bool upright = direction == LegendInput::Direction::Upright;
    Matrix values(upright ? kSteps : 1, upright ? 1 : kSteps);
    for (int k = 0; k < kSteps; ++k) {
        const Scalar t = (k + Scalar(0.5)) / kSteps;
        values(k) = scale.low + (upright ? 1 - t : t) * (scale.high - scale.low);
    }
    return std::make_shared<const Matrix>(std::move(values));
}

void add_bar(Figure& figure, Box bar, const LegendInput& legend, const Theme& theme) {
    HeatmapMark heatmap;
    heatmap.box = bar;
    heatmap.values = bar_values(legend.scale, legend.direction);
    heatmap.scale = legend.scale;
    figure.add(std::move(heatmap));
    figure.add(RectMark{bar, {0, 0, 0, 0}, theme.border, 1, 0});
}

float part(const ColorScale& scale, Scalar value) {
    const Scalar span = scale.high - scale.low;
    return span > 0 ? static_cast<float>((value - scale.low) / span) : 0;
}

void add_upright(Figure& figure, const LegendInput& legend, const Theme& theme,
                 const MeasureText& measure) {
    const Box bar{legend.box.x, legend.box.y, kBar, legend.box.height};
    add_bar(figure, bar, legend, theme);
    const auto values = legend_ticks(legend.scale, bar.height);
    for (Scalar value : values) {
        const float y = bar.bottom() - part(legend.scale, value) * bar.height;
        figure.add(LineMark{{bar.right(), y}, {bar.right() + kTick, y}, theme.wire, 1});
        figure.add(TextMark{{bar.right() + kTick + 4, y + kNumberSize * kMiddleShift},
                            format_tick(value, values),
                            kNumberSize,
                            theme.muted});
    }
    TextMark name{{legend.box.right() - 3, bar.center().y},
                  legend.name,
                  kNameSize,
                  theme.muted,
                  Font::Regular,
                  Align::Middle,
                  -90};
    shorten(name, bar.height, measure);
    figure.add(name);
}

/// The ticks, the first and last pushed inwards, as many as fit beside each other.
void add_lying_numbers(Figure& figure, Box bar, const ColorScale& scale, const Theme& theme,
                       const MeasureText& measure) {
    const auto values = legend_ticks(scale, bar.width);
    TakenSpans taken;
    for (Scalar value : values) {
        const std::string text = format_tick(value, values);
        const float half = measure(text, kNumberSize, Font::Regular) / 2;
        const float x = bar.x + part(scale, value) * bar.width;
        const float middle =
            std::clamp(x, bar.x + half, std::max(bar.x + half, bar.right() - half));
        if (!taken.take(middle - half - 3, middle + half + 3)) continue;
        figure.add(LineMark{{x, bar.bottom()}, {x, bar.bottom() + kTick}, theme.wire, 1});
        figure.add(TextMark{{middle, bar.bottom() + kTick + 10},
                            text,
                            kNumberSize,
                            theme.muted,
                            Font::Regular,
                            Align::Middle});
    }
}

void add_lying(Figure& figure, const LegendInput& legend, const Theme& theme,
               const MeasureText& measure) {
    const Box bar{legend.box.x, legend.box.y + 14, legend.box.width, kBar};
    TextMark name{{bar.x, legend.box.y + 9}, legend.name, kNameSize, theme.muted};
    shorten(name, bar.width, measure);
    figure.add(name);
    add_bar(figure, bar, legend, theme);
    add_lying_numbers(figure, bar, legend.scale, theme, measure);
}

}  // namespace

float legend_width(const ColorScale& scale, const MeasureText& measure) {
    const auto values = legend_ticks(scale, 200);
    const auto few = legend_ticks(scale, 0);
    float widest = 0;
    for (const auto& all : {values, few})
        for (Scalar value : all)
            widest = std::max(widest, measure(format_tick(value, all), kNumberSize, Font::Regular));
    return kBar + kTick + 4 + widest + 6 + kNameSize;
}

void add_legend(Figure& figure, const LegendInput& legend, const Theme& theme,
                const MeasureText& measure) {
    if (legend.direction == LegendInput::Direction::Upright)
        add_upright(figure, legend, theme, measure);
    else
        add_lying(figure, legend, theme, measure);
}

}  // namespace headlight
