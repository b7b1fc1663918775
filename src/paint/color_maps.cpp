// Colour maps that a user can choose by name, besides the colours of heads and themes.
#include "paint/color_maps.h"

#include <algorithm>
#include <cmath>

#include "paint/color.h"

namespace headlight {
namespace {

constexpr int kMapColors = 256;

/// Returns the colour of that lightness on the way along anchors whose lightness runs one way.
Color at_lightness(const std::vector<Color>& anchors, double lightness) {
    std::size_t k = 0;
    const bool rises = oklab_from(anchors.front()).L < oklab_from(anchors.back()).L;
    while (k + 2 < anchors.size() && rises == (lightness > oklab_from(anchors[k + 1]).L)) ++k;
    const double from = oklab_from(anchors[k]).L, to = oklab_from(anchors[k + 1]).L;
    return mixed(anchors[k], anchors[k + 1], (lightness - from) / (to - from));
}

std::uint8_t channel_between(std::uint8_t from, std::uint8_t to, double t) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * t));
}

/// Returns the colour at t in [0,1] along evenly spaced anchors, straight in sRGB, as they are
/// published.
Color at_place(const std::vector<Color>& anchors, double t) {
    const auto n = static_cast<double>(anchors.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(t * n), anchors.size() - 2);
    const Color &from = anchors[k], &to = anchors[k + 1];
    const double share = t * n - static_cast<double>(k);
    return {channel_between(from.r, to.r, share), channel_between(from.g, to.g, share),
            channel_between(from.b, to.b, share)};
}

}  // namespace

const ColorMap* find_map(std::span<const ColorMap> maps, const std::string& name) {
    for (const ColorMap& map : maps)
        if (map.name == name) return &map;
    return nullptr;
}

std::vector<Color> sequential_colors(const ColorMap& map) {
    const double from = oklab_from(map.anchors.front()).L, to = oklab_from(map.anchors.back()).L;
    std::vector<Color> colors;
    for (int k = 0; k < kMapColors; ++k) {
        const double t = k / (kMapColors - 1.0);
        colors.push_back(map.steps == ColorMap::Steps::Anchors
                             ? at_place(map.anchors, t)
                             : at_lightness(map.anchors, from + (to - from) * t));
    }
    return colors;
}

std::vector<Color> diverging_colors(const ColorMap& map) {
    if (map.steps == ColorMap::Steps::Anchors) return sequential_colors(map);
    const Mixture negative(map.anchors[1], map.anchors[0]),
        positive(map.anchors[1], map.anchors[2]);
    std::vector<Color> colors;
    for (int k = 0; k < kMapColors; ++k) {
        const double t = k / (kMapColors - 1.0) * 2 - 1;
        colors.push_back(t < 0 ? negative.at(-t) : positive.at(t));
    }
    return colors;
}

bool is_safe(const ColorMap& map, MapKind kind) {
    return kind == MapKind::Diverging ? is_safe_divergence(diverging_colors(map))
                                      : is_safe_sequence(sequential_colors(map));
}

}  // namespace headlight
