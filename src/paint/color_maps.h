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
};

/// For values that are never negative, and for signed ones, which have three anchors.
std::span<const ColorMap> sequential_maps();
std::span<const ColorMap> diverging_maps();

/// The one of that name; null if there is none.
const ColorMap* find_map(std::span<const ColorMap> maps, const std::string& name);

/// 256 colours along the anchors in OKLab. Of a sequential map in even steps of lightness; of a
/// diverging one each half for itself, its middle in the middle.
std::vector<Color> sequential_colors(const ColorMap& map);
std::vector<Color> diverging_colors(const ColorMap& map);

}  // namespace headlight
