// The largest numbers of one row as bars: a view of its own, and slides of rows with more names
// than a heatmap could label.
#pragma once

#include "figure/figure_look.h"
#include "views/scene.h"

namespace headlight {

/// True of what a network puts out for each word of a vocabulary.
bool is_shown_as_bars(const Tensor& tensor);

/// "A, row “it”: the largest of 11"
std::string row_title_text(const Scene& scene, const Tensor& tensor);

/// Draws the held row, or the last one. The tensor must have values.
Figure row_bars_figure(const Scene& scene, const Tensor& tensor, Point size,
                       const MeasureText& measure);

/// Draws the view: a row with as many bars as the selection says, as large as the look says.
Figure row_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
