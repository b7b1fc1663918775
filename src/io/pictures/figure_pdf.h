// A figure as a PDF of one page.
#pragma once

#include <string>

#include "core/steps.h"
#include "paint/figure_look.h"

namespace headlight {

/// Text is text, with the letters that it needs of its fonts; heatmaps are as paint_figure draws
/// them on paper. The same figure gives the same bytes. Throws Error if the page is larger than
/// readers show: 200 inches.
std::string write_pdf(const Figure& figure, const FigureSheet& sheet, const Steps& steps = {});

}  // namespace headlight
