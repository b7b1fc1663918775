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
    /// The spacing of colours. Lightness: in even steps of lightness. Anchors: these are evenly
    /// spaced, as published.
    enum class Steps { Lightness, Anchors } steps = Steps::Lightness;
};

/// Return the maps for values that are never negative, and for signed ones, whose anchors have a
/// middle. Published are Viridis and Magma (van der Walt & Smith 2015), Cividis (Nuñez, Anderton &
/// Renslow 2018), and Blues, Greys and RdBu (Brewer 2002): the colours differ by at most two of 255
/// from the published ones.
std::span<const ColorMap> sequential_maps();
std::span<const ColorMap> diverging_maps();

/// Returns the map of that name; null if there is none.
const ColorMap* find_map(std::span<const ColorMap> maps, const std::string& name);

/// Return 256 colours along the anchors, by the steps of the map. In a diverging map with steps of
/// lightness, each half is spaced by itself, and its middle stays in the middle.
std::vector<Color> sequential_colors(const ColorMap& map);
std::vector<Color> diverging_colors(const ColorMap& map);

/// The message of a map's colours: the order of the values, or size and sign. is_safe() simulates
/// if readers with any kind of colour vision see it (color.h).
enum class MapKind { Sequential, Diverging };
bool is_safe(const ColorMap& map, MapKind kind);

}  // namespace headlight
