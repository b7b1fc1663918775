// Cairo's and Pango's objects, released by their owner.
#pragma once

#include <cairo.h>
#include <memory>
#include <pango/pangocairo.h>

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

}  // namespace headlight
