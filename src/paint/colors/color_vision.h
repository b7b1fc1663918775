// Colours as people see them who lack one kind of cones, and which colour maps all of them can
// read.
#pragma once

#include <vector>

#include "paint/figure.h"

namespace headlight {

/// Without the cones for long, middle or short waves.
enum class ColorVision { NoRed, NoGreen, NoBlue };

/// The colour as such a person sees it: linear RGB times a matrix, clamped.
///     [Machado, Oliveira & Fernandes 2009, table 1, severity 1.0]
Color seen_with(Color color, ColorVision vision);

/// True if, with each kind of colour vision, lightness runs one way from the first of 256 colours
/// to the last: everybody sees the order of the values.
bool is_safe_sequence(const std::vector<Color>& colors);
/// True if, with each kind, lightness runs one way from the middle to both ends, and colours as far
/// from the middle on both sides differ: everybody sees size and sign.
bool is_safe_divergence(const std::vector<Color>& colors);

}  // namespace headlight
