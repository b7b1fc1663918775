// A figure as PNG bytes.
#pragma once

#include <string>

#include "io/pictures/png_image.h"
#include "paint/figure_look.h"

namespace headlight {

/// Returns the figure's pixels, the size rounded up to whole ones. Cells have exactly the colours
/// of value_color; where many cells share a pixel it shows the one of the largest magnitude. The
/// same figure gives the same pixels. Throws Error if the picture is empty or more than 32767
/// pixels wide or high.
Pixels rasterize(const Figure& figure, const FigureSheet& sheet, const Steps& steps = {});

/// Returns the file's bytes, which include its resolution.
std::string write_png(const Figure& figure, const FigureSheet& sheet, const Steps& steps = {});

}  // namespace headlight
