// The legend of a graph's picture: what width and colour of its edges and nodes mean, in numbers,
// and what is left out.
#pragma once

#include "paint/graphs/graph_figure.h"

namespace headlight {

/// What the legend takes at the bottom of the picture.
float graph_legend_height(const GraphInput& input);

void add_graph_legend(Figure& figure, const GraphInput& input, const GraphGeometry& geometry,
                      const Theme& theme, const MeasureText& measure);

}  // namespace headlight
