// The texts of figures: which fonts they are set in, and how wide they are; and the objects of
// Cairo and Pango that draw them, released by their owner.
#pragma once

#include <cairo.h>
#include <memory>
#include <pango/pangocairo.h>
#include <string>

#include "figure/figure.h"

namespace headlight {

template <auto release>
struct Release {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};

using SurfacePtr = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using ContextPtr = std::unique_ptr<cairo_t, Release<cairo_destroy>>;
using LayoutPtr = std::unique_ptr<PangoLayout, Release<g_object_unref>>;
using FontOptionsPtr = std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>>;
using DescriptionPtr = std::unique_ptr<PangoFontDescription, Release<pango_font_description_free>>;

/// Makes pixels with transparency, all clear. Throws Error if there is no such picture.
SurfacePtr make_pixels(int width, int height);

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
