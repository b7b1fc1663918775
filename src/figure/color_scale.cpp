// Colour scales assign one of 256 colours to a value.
#include "figure/color_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/components.h"
#include "figure/color.h"

namespace headlight {
namespace {

constexpr int kColors = 256;

ColorScale make_scale(const Theme& theme, Scalar low, Scalar high) {
    ColorScale scale;
    scale.low = low;
    scale.high = high;
    scale.nan_color = theme.not_a_number;
    scale.masked_color = theme.masked;
    return scale;
}

/// Returns the colours between two, or from one through a second to a third. They are remembered:
/// while a cell is dragged, every frame needs those of the frame before.
const std::vector<Color>& ramp(const std::vector<Color>& anchors) {
    constexpr std::size_t kRemembered = 64;
    static thread_local std::map<std::vector<Color>, std::vector<Color>> known;
    if (known.size() > kRemembered) known.clear();
    std::vector<Color>& colors = known[anchors];
    if (!colors.empty()) return colors;
    if (anchors.size() != 2) return colors = diverging_colors({.name = "", .anchors = anchors});
    const Mixture mixture(anchors[0], anchors[1]);
    for (int k = 0; k < kColors; ++k) colors.push_back(mixture.at(k / (kColors - 1.0)));
    return colors;
}

}  // namespace

ColorScale diverging_scale(const Theme& theme, Scalar max_abs) {
    ColorScale scale = make_scale(theme, -max_abs, max_abs);
    scale.colors = ramp({theme.negative, theme.zero, theme.positive});
    return scale;
}

namespace {

/// Returns the colour, as near to that of text as a strong end has to be, and no nearer, so that it
/// keeps its hue.
Color strong_end(const Theme& theme, Color strongest) {
    constexpr double kContrast = 7.1, kStep = 0.02;
    const Mixture mixture(strongest, theme.text);
    double share = 0;
    while (share < 1 && contrast(theme.card, mixture.at(share)) < kContrast) share += kStep;
    return mixture.at(share);
}

}  // namespace

ColorScale sequential_scale(const Theme& theme, Color strongest, Scalar low, Scalar high) {
    const Color end = theme.has_strong_ends ? strong_end(theme, strongest) : strongest;
    ColorScale scale = make_scale(theme, low, high);
    scale.colors = ramp({theme.card, end});
    return scale;
}

ColorScale rank_scale(const Theme& theme, Color strongest, Index count) {
    const auto last = static_cast<Scalar>(std::max<Index>(1, count - 1));
    ColorScale scale = sequential_scale(theme, strongest, 0, last);
    std::reverse(scale.colors.begin(), scale.colors.end());
    return scale;
}

ColorScale open_scale(const Theme& theme) {
    ColorScale scale = make_scale(theme, 0, 0);
    scale.colors.assign(kColors, theme.zero);
    return scale;
}

namespace {

/// Brightness from black at 0 to white at 1, in every theme.
ColorScale intensity_scale(const Theme& theme) {
    ColorScale scale = make_scale(theme, 0, 1);
    for (int k = 0; k < kColors; ++k) {
        const auto grey = static_cast<std::uint8_t>(k);
        scale.colors.push_back({grey, grey, grey, 255});
    }
    return scale;
}

}  // namespace

Scalar position_in(const ColorScale& scale, Scalar v) {
    if (scale.steps == ColorScale::Steps::Linear) {
        if (v <= scale.low) return 0;
        if (v >= scale.high) return 1;
        return (v - scale.low) / (scale.high - scale.low);
    }
    const Scalar magnitude = std::max(std::abs(v), scale.floor);
    const Scalar part = std::clamp((std::log2(magnitude) - std::log2(scale.floor)) /
                                       (std::log2(scale.high) - std::log2(scale.floor)),
                                   Scalar(0), Scalar(1));
    if (scale.low < 0) return Scalar(0.5) * (1 + std::copysign(part, v));
    return v > 0 ? part : 0;
}

int color_index(const ColorScale& scale, Scalar v) {
    const Scalar t = position_in(scale, v);
    return std::clamp(static_cast<int>(std::lround(t * (kColors - 1))), 0, kColors - 1);
}

Color value_color(const ColorScale& scale, Scalar v) {
    if (std::isnan(v)) return scale.nan_color;
    if (v == kMasked) return scale.masked_color;
    return scale.colors[color_index(scale, v)];
}

Scalar largest_magnitude(const Matrix& values) {
    Scalar magnitude = 0;
    for (Index k = 0; k < values.size(); ++k) {
        const Scalar v = std::abs(values.data()[k]);
        if (v > magnitude && v <= std::numeric_limits<Scalar>::max()) magnitude = v;
    }
    return magnitude;
}

Scalar symmetric_limit(Scalar magnitude) {
    const double largest = magnitude;
    if (largest == 0) return 1;
    const double decade = std::pow(10.0, std::floor(std::log10(largest)));
    for (double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0}) {
        const auto limit = static_cast<Scalar>(step * decade);
        if (limit >= largest && std::isfinite(limit)) return limit;
    }
    return magnitude;
}

Scalar symmetric_limit(const Matrix& values) {
    return symmetric_limit(largest_magnitude(values));
}

ColorScale standard_scale(const Tensor& tensor, Scalar limit, const Theme& theme) {
    const Color color = head_color(theme, std::max(0, tensor.identity().head));
    switch (tensor.quantity()) {
        case Quantity::Probability:
            return sequential_scale(theme, color, 0, 1);
        case Quantity::Amount:
            return sequential_scale(theme, color, 0, limit);
        case Quantity::Rank:
            return rank_scale(theme, color, tensor.columns().size);
        case Quantity::Intensity:
            return intensity_scale(theme);
        case Quantity::Signed:
        case Quantity::Mask:
            break;
    }
    return diverging_scale(theme, limit);
}

std::string scale_name(const Tensor& tensor) {
    switch (tensor.quantity()) {
        case Quantity::Probability:
            return "probability, linear";
        case Quantity::Mask:
            return "mask: 0 open, −∞ closed";
        case Quantity::Intensity:
            return "brightness, linear";
        case Quantity::Amount:
            return "0 to the largest, linear";
        case Quantity::Rank:
            return "rank of key for query; 0 is first";
        case Quantity::Signed:
            return "signed, linear";
    }
    return "";
}

bool is_signed(Quantity quantity) {
    return quantity == Quantity::Signed || quantity == Quantity::Mask;
}

}  // namespace headlight
