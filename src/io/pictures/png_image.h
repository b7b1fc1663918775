// Pixels as a PNG file.
#pragma once

#include <string>

#include "core/progress.h"
#include "paint/pixels.h"

namespace headlight {

enum class PngAlpha { IfNeeded, Always };  // IfNeeded: only where something is transparent

struct PngChoice {
    float dpi = 0;  // > 0: it says how large it is on paper
    PngAlpha alpha = PngAlpha::IfNeeded;
    Steps steps = {};
};

/// Returns the bytes of a PNG, made quickly rather than small: with at most 256 colours it has one
/// byte a pixel, unless its alpha is always wanted. The same pixels give the same bytes. Throws
/// Error if the sizes are not positive or do not fit the pixels.
std::string write_pixels(const Pixels& pixels, const PngChoice& choice = {});

}  // namespace headlight
