// Pixels as a PNG file.
#pragma once

#include <string>

#include "paint/pixels.h"

namespace headlight {

enum class PngAlpha { IfNeeded, Always };  // IfNeeded: only where something is transparent

/// The bytes of a PNG, quickly made rather than small. With `dpi` > 0 they say how large it is on
/// paper. The same pixels give the same bytes. Throws Error if the sizes are not positive or do not
/// fit the pixels.
std::string encode_png(const Pixels& pixels, float dpi = 0, PngAlpha alpha = PngAlpha::IfNeeded);

}  // namespace headlight
