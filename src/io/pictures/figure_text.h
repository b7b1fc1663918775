// The texts of figures: which fonts they are set in, how wide they are, and how they are drawn; and
// the objects of Cairo, released by their owner. Pango sets the lines, in a page HarfBuzz.
#pragma once

#include <cairo.h>
#include <cstdint>
#include <memory>
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
using FontOptionsPtr = std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>>;

/// Makes pixels with transparency, all clear. Throws Error if there is no such picture.
SurfacePtr make_pixels(int width, int height);
/// Returns a pixel as Cairo has it, its colours multiplied by its opacity.
std::uint32_t premultiplied(Color color);

/// A font as families by preference, weight and slant.
struct FontFace {
    const char* families;  // "Inter, DejaVu Sans, sans-serif"
    bool is_bold = false, is_italic = false;
};
FontFace font_face(Font font);

/// Keeps the words at an arrow on their sides, also when they are written from right to left: an
/// invisible left-to-right mark stands before and after it.
std::string with_sided_arrows(std::string text);

/// One line of text, set in glyphs. Nothing is hinted or rounded, so that every scale gives the
/// same places.
class TextLine {
  public:
    TextLine(cairo_t* cairo, const std::string& text, float size, Font font);
    ~TextLine();
    TextLine(TextLine&&) noexcept;
    TextLine(const TextLine&) = delete;
    TextLine& operator=(const TextLine&) = delete;

    double width() const;
    double baseline() const;    // from the top
    bool lacks_glyphs() const;  // no installed font has them

    /// The whole units around all that is drawn, from the upper left corner.
    struct Ink {
        int x, y, width, height;
    };
    Ink ink() const;

    /// Draws it in the colour of `cairo`, with its upper left corner at the current point.
    void draw(cairo_t* cairo) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Returns a function that measures with the fonts in which figures are written to files. It
/// remembers its results: keep it for all figures of a document, on one thread at a time.
MeasureText pango_measure();

}  // namespace headlight
