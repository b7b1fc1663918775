// The legend of a graph's picture: the meaning of width and colour of its edges and nodes, in
// numbers, and notes on omissions.
#pragma once

#include "paint/graphs/graph_figure.h"

namespace headlight {

/// Returns the height of the legend at the bottom of the picture.
float graph_legend_height(const GraphInput& input);

void add_graph_legend(Figure& figure, const GraphInput& input, const GraphGeometry& geometry,
                      const Theme& theme, const MeasureText& measure);

}  // namespace headlight
