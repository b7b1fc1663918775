// A figure as SVG: shapes stay shapes, text stays text.
//
// Goals: a browser, a LaTeX tool or a drawing program shows the very figure; its text can be edited
// and searched. Not goals: fonts in the file.
#pragma once

#include <string>

#include "core/progress.h"
#include "figure/figure_look.h"

namespace headlight {

/// Writes an SVG. A heatmap of at most kMostVectorCells cells is one rectangle a cell, a larger one
/// a sharp image. Control characters are left out of text. The same figure gives the same bytes.
std::string write_svg(const Figure& figure, const FigureSheet& sheet, const Steps& steps = {});

}  // namespace headlight
