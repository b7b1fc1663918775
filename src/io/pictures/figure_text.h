// The texts of figures: which fonts they are set in, and how wide they are.
#pragma once

#include <string>

#include "io/pictures/cairo_objects.h"
#include "paint/figure.h"

namespace headlight {

/// A font as families by preference, weight and slant.
struct FontFace {
    const char* families;  // "Inter, DejaVu Sans, sans-serif"
    bool is_bold = false, is_italic = false;
};
FontFace font_face(Font font);

/// Keeps the words at an arrow on their sides, also when they are written from right to left: an
/// invisible left-to-right mark stands before and after it.
std::string with_sided_arrows(std::string text);

/// Makes one line of text. Nothing is hinted or rounded, so that every scale gives the same places.
LayoutPtr make_line(cairo_t* cairo, const std::string& text, float size, Font font);
double line_width(PangoLayout* line);

/// Returns a function that measures with the fonts in which figures are written to files. It
/// remembers its results: keep it for all figures of a document, on one thread at a time.
MeasureText pango_measure();

}  // namespace headlight
