// The legend of a colour scale: a bar, numbers, the name of the scale.
#include "figure/legend.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "figure/color_scale.h"
#include "figure/labels.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

constexpr float kBar = 9, kStripedBar = 12;  // thickness
constexpr float kNumberSize = 9.5f, kNameSize = 10;
constexpr float kTick = 3;
constexpr int kSteps = 128;

struct Tick {
    float part = 0;  // of the bar, from the first colour on
    std::string text;
};

/// Returns the powers of ten, and 0 in the middle of a signed scale; every other one where they are
/// many.
std::vector<Scalar> log_ticks(const ColorScale& scale, float length) {
    const int first = static_cast<int>(std::ceil(std::log10(scale.floor) - 1e-3));
    const int last = static_cast<int>(std::floor(std::log10(scale.high) + 1e-3));
    const int most = length < 60 ? 2 : scale.low < 0 ? 3 : 6;
    const int step = 1 + (last - first) / most;
    std::vector<Scalar> magnitudes;
    for (int decade = last; decade >= first; decade -= step)
        magnitudes.push_back(std::pow(Scalar(10), static_cast<Scalar>(decade)));
    if (scale.low >= 0) return {magnitudes.rbegin(), magnitudes.rend()};
    std::vector<Scalar> both{0};
    for (const Scalar v : magnitudes)
        if (v > scale.floor * Scalar(1.5)) both.insert(both.begin(), -v), both.push_back(v);
    std::sort(both.begin(), both.end());
    return both;
}

/// True of a scale of one value, which has no bar.
bool is_single(const ColorScale& scale) {
    return scale.low == scale.high;
}

/// Marks ends whose colour also stands for values beyond them; ticks that are too near are removed.
void mark_clipped(std::vector<Tick>& ticks, const ColorScale& scale, float length,
                  ClippedEnds clipped) {
    constexpr float kNear = 13;
    const auto mark = [&](float end, const char* sign, Scalar value) {
        std::erase_if(ticks,
                      [&](const Tick& tick) { return std::abs(tick.part - end) * length < kNear; });
        ticks.push_back({end, sign + format_tick(value, {value})});
    };
    if (clipped.below) mark(0, "≤ ", scale.low);
    if (clipped.above) mark(1, "≥ ", scale.high);
}

std::vector<Tick> legend_ticks(const ColorScale& scale, float length, ClippedEnds clipped) {
    const bool is_log = scale.steps == ColorScale::Steps::Log;
    const auto values =
        is_log ? log_ticks(scale, length) : ticks(scale.low, scale.high, length < 60 ? 3 : 5);
    std::vector<Tick> all;
    for (const Scalar value : values)
        all.push_back({static_cast<float>(position_in(scale, value)),
                       is_log ? format_tick(value, {value}) : format_tick(value, values)});
    mark_clipped(all, scale, length, clipped);
    return all;
}

/// Returns positions along the colours, from the first to the last or the other way.
MatrixPtr bar_values(LegendInput::Direction direction) {
    const bool upright = direction == LegendInput::Direction::Upright;
    Matrix values(upright ? kSteps : 1, upright ? 1 : kSteps);
    for (int k = 0; k < kSteps; ++k) {
        const Scalar t = (k + Scalar(0.5)) / kSteps;
        values(k) = upright ? 1 - t : t;
    }
    return std::make_shared<const Matrix>(std::move(values));
}

float bar_thickness(const LegendInput& legend) {
    return legend.stripes.empty() ? kBar : kStripedBar;
}

void add_stripe(Figure& figure, Box box, const ColorScale& scale, const MatrixPtr& values) {
    HeatmapMark heatmap;
    heatmap.box = box;
    heatmap.values = values;
    heatmap.scale = scale;
    heatmap.scale.low = 0;
    heatmap.scale.high = 1;
    heatmap.scale.steps = ColorScale::Steps::Linear;
    figure.add(std::move(heatmap));
}

void add_bar(Figure& figure, Box bar, const LegendInput& legend, const Theme& theme) {
    const MatrixPtr values = bar_values(legend.direction);
    const bool is_upright = legend.direction == LegendInput::Direction::Upright;
    const auto n = static_cast<float>(legend.stripes.size());
    if (legend.stripes.empty()) add_stripe(figure, bar, legend.scale, values);
    for (std::size_t k = 0; k < legend.stripes.size(); ++k) {
        const auto at = static_cast<float>(k);
        Box stripe = bar;
        if (is_upright)
            stripe.x += at * bar.width / n, stripe.width /= n;
        else
            stripe.y += at * bar.height / n, stripe.height /= n;
        add_stripe(figure, stripe, legend.stripes[k], values);
    }
    figure.add(RectMark{bar, {0, 0, 0, 0}, theme.border, 1, 0});
}

constexpr std::string_view kUsualSteps = ", linear";

/// Adds "probability, linear"; where that has no room only "probability", since everybody expects
/// linear.
void add_name(Figure& figure, TextMark name, float room, const MeasureText& measure) {
    if (name.text.ends_with(kUsualSteps) && measure(name.text, name.size, name.font) > room)
        name.text.resize(name.text.size() - kUsualSteps.size());
    constexpr float kSmallest = 0.75f;
    const float width = measure(name.text, name.size, name.font);
    if (width > room) name.size *= std::max(kSmallest, room / width);
    CutTexts names("names of colour bars");
    names.shorten(name, room, measure);
    names.tell(figure);
    figure.add(std::move(name));
}

constexpr float kSwatch = 11, kSwatchStep = 19, kSwatchRoom = 72;

/// Adds the swatches of a mask, open and closed, one below the other or side by side.
void add_swatches(Figure& figure, Point at, const LegendInput& legend, const Theme& theme) {
    const ColorScale& scale = legend.scale;
    const std::pair<Color, std::string> swatches[] = {
        {value_color(scale, scale.low), format_value(scale.low, 2) + " open"},
        {scale.masked_color, format_value(kMasked, 2) + " closed"}};
    const bool is_upright = legend.direction == LegendInput::Direction::Upright;
    for (const auto& [color, text] : swatches) {
        const float baseline = at.y + kSwatch / 2 + kNumberSize * kMiddleShift;
        figure.add(RectMark{{at.x, at.y, kSwatch, kSwatch}, color, theme.border, 1, 0});
        figure.add(TextMark{{at.x + kSwatch + 5, baseline}, text, kNumberSize, theme.muted});
        (is_upright ? at.y : at.x) += is_upright ? kSwatchStep : kSwatchRoom;
    }
}

void add_upright(Figure& figure, const LegendInput& legend, const Theme& theme,
                 const MeasureText& measure) {
    const Box bar{legend.box.x, legend.box.y, bar_thickness(legend), legend.box.height};
    if (is_single(legend.scale)) return add_swatches(figure, {bar.x, bar.y}, legend, theme);
    add_bar(figure, bar, legend, theme);
    for (const Tick& tick : legend_ticks(legend.scale, bar.height, legend.clipped)) {
        const float y = bar.bottom() - tick.part * bar.height;
        figure.add(LineMark{{bar.right(), y}, {bar.right() + kTick, y}, theme.wire, 1});
        figure.add(TextMark{{bar.right() + kTick + 4, y + kNumberSize * kMiddleShift},
                            tick.text,
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
    add_name(figure, std::move(name), bar.height, measure);
}

/// Adds the ticks, the first and last pushed inwards, as many as fit beside each other.
void add_lying_numbers(Figure& figure, Box bar, const LegendInput& legend, const Theme& theme,
                       const MeasureText& measure) {
    TakenSpans taken;
    std::vector<Tick> ticks = legend_ticks(legend.scale, bar.width, legend.clipped);
    if (legend.clipped.below || legend.clipped.above)  // their signs come first
        std::reverse(ticks.begin(), ticks.end());
    for (const Tick& tick : ticks) {
        const float half = measure(tick.text, kNumberSize, Font::Regular) / 2;
        const float x = bar.x + tick.part * bar.width;
        const float middle =
            std::clamp(x, bar.x + half, std::max(bar.x + half, bar.right() - half));
        if (!taken.take(middle - half - 3, middle + half + 3)) continue;
        figure.add(LineMark{{x, bar.bottom()}, {x, bar.bottom() + kTick}, theme.wire, 1});
        figure.add(TextMark{{middle, bar.bottom() + kTick + 10},
                            tick.text,
                            kNumberSize,
                            theme.muted,
                            Font::Regular,
                            Align::Middle});
    }
}

void add_lying(Figure& figure, const LegendInput& legend, const Theme& theme,
               const MeasureText& measure) {
    const Box bar{legend.box.x, legend.box.y + 14, legend.box.width, bar_thickness(legend)};
    TextMark name{{bar.x, legend.box.y + 9}, legend.name, kNameSize, theme.muted};
    add_name(figure, std::move(name), bar.width, measure);
    if (is_single(legend.scale)) return add_swatches(figure, {bar.x, bar.y}, legend, theme);
    add_bar(figure, bar, legend, theme);
    add_lying_numbers(figure, bar, legend, theme, measure);
}

}  // namespace

bool is_legend_bar(const HeatmapMark& mark) {
    if (!mark.values) return false;
    const Index rows = mark.values->rows(), columns = mark.values->cols();
    return std::max(rows, columns) == kSteps && std::min(rows, columns) == 1 &&
           std::min(mark.box.width, mark.box.height) < 40 && mark.grid_width == 0;
}

float legend_width(const ColorScale& scale, const MeasureText& measure, ClippedEnds clipped) {
    if (is_single(scale)) return kSwatchRoom;
    float widest = 0;
    for (const float length : {200.0f, 0.0f})
        for (const Tick& tick : legend_ticks(scale, length, clipped))
            widest = std::max(widest, measure(tick.text, kNumberSize, Font::Regular));
    return kBar + kTick + 4 + widest + 6 + kNameSize;
}

float legend_length(const std::string& name, const MeasureText& measure) {
    const bool is_usual = name.ends_with(kUsualSteps);
    return measure(name.substr(0, name.size() - (is_usual ? kUsualSteps.size() : 0)), kNameSize,
                   Font::Regular);
}

void add_legend(Figure& figure, const LegendInput& legend, const Theme& theme,
                const MeasureText& measure) {
    if (legend.direction == LegendInput::Direction::Upright)
        add_upright(figure, legend, theme, measure);
    else
        add_lying(figure, legend, theme, measure);
}

}  // namespace headlight
