// Pixels as a PNG file, and figures as pixels.
#pragma once

#include <string>

#include "core/progress.h"
#include "figure/figure.h"
#include "figure/figure_look.h"

namespace headlight {

struct PngChoice {
    float dpi = 0;                  // > 0: it says how large it is on paper
    bool always_has_alpha = false;  // else only where something is transparent
    Steps steps = {};
};

/// Returns the bytes of a PNG, made quickly rather than small: with at most 256 colours it has one
/// byte a pixel, unless its alpha is always wanted. The same pixels give the same bytes. Throws
/// Error if the sizes are not positive or do not fit the pixels.
std::string write_pixels(const Pixels& pixels, const PngChoice& choice = {});

/// Returns the figure's pixels, the size rounded up to whole ones. Cells have exactly the colours
/// of value_color; where many cells share a pixel it shows the one of the largest magnitude. The
/// same figure gives the same pixels. Throws Error if the picture is empty or more than 32767
/// pixels wide or high.
Pixels rasterize(const Figure& figure, const FigureSheet& sheet, const Steps& steps = {});

/// Returns the file's bytes, which include its resolution.
std::string write_png(const Figure& figure, const FigureSheet& sheet, const Steps& steps = {});

}  // namespace headlight
