// Figures drawn with Cairo: once, for pictures of pixels and for paper.
#pragma once

#include "core/progress.h"
#include "io/pictures/cairo_objects.h"
#include "paint/figure.h"

namespace headlight {

/// On paper, a heatmap with at most this many cells is one rectangle per cell, a larger one an
/// image.
inline constexpr Index kMostVectorCells = 10000;
/// The longer side of that image; with more cells, each pixel shows several, as on the screen.
inline constexpr Index kMostImageCells = 4096;

struct PaintedOn {
    enum class Background { Pixels, Paper } background = Background::Pixels;
    float pixels_per_point = 1;  // of pixels
    Steps steps = {};
};

/// Returns how much work a mark takes compared with the others; a figure counts each of its marks.
double drawing_work(const Mark& mark);
double drawing_work(const Figure& figure);

/// Draws a figure into a context whose unit is points. Cells have exactly the colours of
/// value_color.
void paint_figure(cairo_t* cairo, const Figure& figure, const PaintedOn& on);

}  // namespace headlight
