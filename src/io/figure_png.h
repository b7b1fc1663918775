// A figure as PNG bytes, drawn with Cairo and Pango.
#pragma once

#include <string>

#include "paint/figure.h"

namespace headlight {

/// The figure on `ground`, `scale` pixels to a point; the size is rounded up to whole pixels. Cells
/// have exactly the colours of color_of; where many cells share a pixel it shows the one of the
/// largest magnitude. The same figure gives the same bytes.
/// Throws Error if the picture is empty or more than 32767 pixels wide or high.
std::string png_of(const Figure& figure, float scale, Color ground);

/// Measures with the fonts that png_of draws with.
MeasureText pango_measure();

}  // namespace headlight
