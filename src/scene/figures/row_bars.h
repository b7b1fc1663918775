// Slides of rows with more names than a heatmap could label: the largest numbers of one row as
// bars.
#pragma once

#include "scene/scene.h"

namespace headlight {

/// True of what a network puts out for each word of a vocabulary.
bool is_shown_as_bars(const Tensor& tensor);

/// Of the held row, or the last one. The tensor must have values.
Figure row_bars_figure(const Scene& scene, const Tensor& tensor, Point size,
                       const MeasureText& measure);

}  // namespace headlight
