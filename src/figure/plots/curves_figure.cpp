#include "figure/plots/curves_figure.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "figure/color.h"
#include "figure/labels.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

constexpr float kPlotText = 11, kTickGap = 6, kBelow = 20, kNameBelow = 15, kLegendLine = 18,
                kSample = 16;
constexpr float kDash = 5, kDashGap = 4;

/// Values from 0 to high, along a line of points.
struct CurveScale {
    std::vector<Scalar> ticks;
    double high = 1;
    float from = 0, to = 1;

    float at(double value) const {
        return from + static_cast<float>(std::clamp(value / high, 0.0, 1.0)) * (to - from);
    }
};

CurveScale scale_to(double high, int n_ticks, float from, float to) {
    const double top = high > 0 && std::isfinite(high) ? high : 1;
    return {ticks(0, static_cast<Scalar>(top), n_ticks), top, from, to};
}

double highest_right(const CurvesInput& input) {
    double high = 0;
    for (const CurveLine& line : input.lines)
        if (line.scale == CurveLine::Scale::Right)
            for (const CurvePlace& point : line.points)
                if (std::isfinite(point.y)) high = std::max(high, point.y);
    return high > 0 ? 1.05 * high : 1;
}

float widest_tick(const CurveScale& scale, const MeasureText& measure) {
    float widest = 0;
    for (const Scalar tick : scale.ticks)
        widest =
            std::max(widest, measure(format_tick(tick, scale.ticks), kPlotText, Font::Regular));
    return widest;
}

TextMark small_text(Point at, std::string text, Color color, Align align) {
    return {.at = at, .text = std::move(text), .size = kPlotText, .color = color, .align = align};
}

/// Adds "held-out accuracy 0.982" beside a piece of its line, for each line, on as many rows as
/// they need.
float add_legend(Figure& figure, const CurvesInput& input, const Theme& theme,
                 const MeasureText& measure) {
    float x = 0, y = kLegendLine - 6;
    for (const CurveLine& line : input.lines) {
        if (line.name.empty()) continue;
        const auto value = input.marked_x ? value_at(line, *input.marked_x) : std::nullopt;
        const std::string number = value ? format_cell(static_cast<Scalar>(*value), 3) : "";
        const float name = measure(line.name, kPlotText, Font::Regular);
        const float room = input.marked_x ? 5 + measure("0.000", kPlotText, Font::Bold) : 0;
        const float wide = kSample + 5 + name + room + 16;
        if (x > 0 && x + wide > input.width) x = 0, y += kLegendLine;
        const float middle = y - kMiddleShift * kPlotText;
        const bool is_dashed = line.stroke == CurveLine::Stroke::Dashed;
        for (float at = 0; at < kSample; at += is_dashed ? kDash + kDashGap : kSample) {
            const float end = is_dashed ? std::min(kSample, at + kDash) : kSample;
            figure.add(LineMark{{x + at, middle}, {x + end, middle}, line.color, line.width});
        }
        figure.add(small_text({x + kSample + 5, y}, line.name, theme.muted, Align::Start));
        TextMark mark =
            small_text({x + kSample + 5 + name + 5, y}, number, theme.text, Align::Start);
        mark.font = Font::Bold;
        figure.add(std::move(mark));
        x += wide;
    }
    return y + 6;
}

void add_segment(Figure& figure, const CurveLine& line, Point from, Point to, float& along) {
    if (line.stroke == CurveLine::Stroke::Solid)
        return figure.add(LineMark{from, to, line.color, line.width});
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const auto at = [&](float way) {
        const float share = length > 0 ? way / length : 0;
        return Point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    };
    for (float way = 0; way < length;) {
        const float phase = std::fmod(along + way, kDash + kDashGap);
        const bool is_dash = phase < kDash;
        const float next =
            std::min(length, way + (is_dash ? kDash : kDash + kDashGap) - phase + 0.01f);
        if (is_dash) figure.add(LineMark{at(way), at(next), line.color, line.width});
        way = next;
    }
    along += length;
}

/// Adds a line; points that fall on one column of the screen become one.
void add_line(Figure& figure, const CurveLine& line, const CurveScale& x, const CurveScale& y) {
    std::optional<Point> last;
    float along = 0;
    for (std::size_t k = 0; k < line.points.size(); ++k) {
        const CurvePlace& point = line.points[k];
        if (!std::isfinite(point.y)) {
            last.reset();
            continue;
        }
        const Point at{x.at(point.x), y.at(point.y)};
        const bool is_last = k + 1 == line.points.size();
        if (last && at.x - last->x < 1 && !is_last) continue;
        if (last) add_segment(figure, line, *last, at, along);
        last = at;
    }
    if (last && line.stroke == CurveLine::Stroke::Solid)
        figure.add(CircleMark{*last, line.width + 0.6f, line.color});
}

}  // namespace

std::optional<double> value_at(const CurveLine& line, double x) {
    const auto after = std::ranges::upper_bound(line.points, x, {}, &CurvePlace::x);
    if (after == line.points.begin()) return std::nullopt;
    return std::prev(after)->y;
}

std::optional<double> CurvesFigure::x_at(Point p) const {
    if (!plot.contains(p)) return std::nullopt;
    return x_high * static_cast<double>((p.x - plot.x) / plot.width);
}

CurvesFigure curves_figure(const CurvesInput& input, const Theme& theme,
                           const MeasureText& measure) {
    CurvesFigure made{{input.width, input.height, {}}, {}, std::max(1.0, input.x_high)};
    Figure& figure = made.figure;
    const bool is_named =
        std::ranges::any_of(input.lines, [](const CurveLine& line) { return !line.name.empty(); });
    const float top = (is_named ? add_legend(figure, input, theme, measure) : 0) +
                      (input.left_name.empty() ? 6 : 20);
    const float bottom = input.height - kBelow - (input.x_name.empty() ? 0 : kNameBelow);
    const int n_ticks = bottom - top > 110 ? 5 : 3;
    const CurveScale left = scale_to(input.high, n_ticks, bottom, top);
    const CurveScale right = scale_to(highest_right(input), n_ticks, bottom, top);
    const bool has_right = !input.right_name.empty();
    const float before = widest_tick(left, measure) + kTickGap + 2;
    const float after = has_right ? widest_tick(right, measure) + kTickGap + 2 : 12;
    const CurveScale x = scale_to(made.x_high, std::max(2, static_cast<int>(input.width / 80)),
                                  before, input.width - after);
    made.plot = {x.from, top, x.to - x.from, bottom - top};
    for (const Scalar tick : left.ticks) {
        figure.add(LineMark{{x.from, left.at(tick)}, {x.to, left.at(tick)}, theme.border, 1});
        figure.add(small_text({x.from - kTickGap, left.at(tick) + kMiddleShift * kPlotText},
                              format_tick(tick, left.ticks), theme.muted, Align::End));
    }
    for (const Scalar tick : right.ticks)
        if (has_right)
            figure.add(small_text({x.to + kTickGap, right.at(tick) + kMiddleShift * kPlotText},
                                  format_tick(tick, right.ticks), theme.muted, Align::Start));
    for (const Scalar tick : x.ticks)
        figure.add(
            small_text({x.at(tick), bottom + 15},
                       tick == std::floor(tick) ? format_count(static_cast<Index>(tick)) : "",
                       theme.muted, tick == 0 ? Align::Start : Align::Middle));
    if (!input.x_name.empty())
        figure.add(
            small_text({x.to, bottom + 15 + kNameBelow}, input.x_name, theme.muted, Align::End));
    if (!input.left_name.empty())
        figure.add(small_text({0, top - 9}, input.left_name, theme.muted, Align::Start));
    if (has_right)
        figure.add(small_text({input.width, top - 9}, input.right_name, theme.muted, Align::End));
    if (input.marked_x)
        figure.add(LineMark{{x.at(*input.marked_x), top},
                            {x.at(*input.marked_x), bottom},
                            faded(theme.accent, 0.55),
                            1.5f});
    // The first lines are the most important: they lie over the others.
    for (auto line = input.lines.rbegin(); line != input.lines.rend(); ++line)
        add_line(figure, *line, x, line->scale == CurveLine::Scale::Left ? left : right);
    return made;
}

}  // namespace headlight
