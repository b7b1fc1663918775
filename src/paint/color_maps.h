// Colour maps that a user can choose by name, besides the colours of heads and themes.
//
// Goals: equal steps look even, for people with any kind of colour vision: lightness runs one way
// along a sequential map, and the ends of a diverging one differ in blue against yellow.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "paint/figure.h"

namespace headlight {

struct ColorMap {
    std::string name;
    std::vector<Color> anchors;  // from the smallest value to the largest
    /// Lightness: in even steps of lightness. Anchors: these are evenly spaced, as published.
    enum class Steps { Lightness, Anchors } steps = Steps::Lightness;
};

/// For values that are never negative, and for signed ones, which have three anchors. Viridis and
/// Magma are van der Walt and Smith's, 2015, Blues is Brewer's, 2002: at most two of 255 from
/// theirs.
std::span<const ColorMap> sequential_maps();
std::span<const ColorMap> diverging_maps();

/// The one of that name; null if there is none.
const ColorMap* find_map(std::span<const ColorMap> maps, const std::string& name);

/// 256 colours along the anchors in OKLab. Of a sequential map by its steps; of a diverging one
/// each half for itself, its middle in the middle.
std::vector<Color> sequential_colors(const ColorMap& map);
std::vector<Color> diverging_colors(const ColorMap& map);

}  // namespace headlight
