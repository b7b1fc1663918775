// The input of the graph's picture, from the study and the selection.
#pragma once

#include "paint/figures/graph_figure.h"
#include "scene/scene.h"

namespace headlight {

/// The edges show the chosen head's pattern; any other chosen tensor stands beside the graph.
bool shows_graph_alone(const Trace& trace, const Selection& selection);

/// The box is the caller's.
GraphInput graph_input(const Scene& scene);

}  // namespace headlight
