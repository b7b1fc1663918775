// Figures drawn with Cairo: once, for pictures of pixels and for paper. Of a heatmap only the cells
// are drawn that are visible, and no more than the picture has room for.
#pragma once

#include "core/progress.h"
#include "figure/figure.h"
#include "io/pictures/figure_text.h"

namespace headlight {

/// Returns the mark reduced to its visible cells; it must have cells.
HeatmapMark seen_cells(const HeatmapMark& mark);

/// Returns values pooled to at most `most_rows` × `most_columns`. Where several cells become one,
/// it takes the value of the largest magnitude (NaN before all numbers, masked cells last), or the
/// mean.
MatrixPtr pooled(const MatrixPtr& values, Index most_rows, Index most_columns, FarOut far_out,
                 const Steps& steps = {});

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
