// Pictures of another size, as Pillow's Image.resize computes them.
//
// Goals: the same bytes as Pillow 13, so that a network reads the picture that it was
// trained on. Not goals: transparency, pictures of more than 8 bits.
#pragma once

#include "model/settings/picture.h"
#include "paint/pixels.h"

namespace headlight {

/// The picture over white: every pixel opaque.
Pixels over_white(Pixels picture);

/// Every pixel of the result is a weighted mean of the pixels around its place; where the picture
/// shrinks, the filter is as much wider. Columns first, then rows, each rounded to 8 bits, with
/// weights of 22 bits behind the point. The picture is opaque.
Pixels resized(const Pixels& picture, PictureSize size, Resample filter);

/// The middle of the picture, nearer to the upper left by half a pixel where it must be. Throws
/// Error, naming `source`, if the picture is smaller.
Pixels middle_of(const Pixels& picture, PictureSize size, const std::string& source);

}  // namespace headlight
