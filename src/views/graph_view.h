// Makes the input of the graph's picture, from the study and the selection.
#pragma once

#include "figure/figure_look.h"
#include "figure/graphs/graph_figure.h"
#include "views/scene.h"

namespace headlight {

/// Returns the nodes and edges that are pointed at and held.
GraphChoice graph_choice(const Selection& selection);

/// Hides the edges that are not asked for, and notes how many are shown.
void filter_edges(GraphInput& input, const GraphLook& look);

/// Returns the matrix of whose columns one colours the nodes; null if none does.
const Tensor* colored_matrix(const Trace& trace, const Components& components,
                             const Selection& selection);

/// The caller sets the box.
GraphInput graph_input(const Scene& scene);

/// Draws the view: the graph, as large as the look says.
Figure graph_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
