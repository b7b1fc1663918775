// Pictures of another size, as Pillow's Image.resize computes them.
//
// Goals: the same bytes as Pillow 13, so that a network reads the picture that it was
// trained on. Not goals: transparency, pictures of more than 8 bits.
#pragma once

#include "figure/figure.h"
#include "model/settings/picture.h"

namespace headlight {

/// Returns the picture over white: every pixel is opaque.
Pixels over_white(Pixels picture);

/// Resizes a picture, which must be opaque. Every new pixel is a weighted mean of the pixels around
/// its place; where the picture shrinks, the filter is as much wider. Columns come first, then
/// rows, each rounded to 8 bits, with weights that have 22 bits after the point.
Pixels resized(const Pixels& picture, PictureSize size, Resample filter);

/// Returns the middle of the picture, nearer to the upper left by half a pixel where it must be.
/// Throws Error, naming `source`, if the picture is smaller.
Pixels middle_of(const Pixels& picture, PictureSize size, const std::string& source);

}  // namespace headlight
