// The nodes of a graph that are held together.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "scene/selection.h"

namespace headlight {

/// Those that the graph has; none while an edge is held alone.
std::vector<int> held_nodes(const Selection& selection, const Graph& graph);

/// All of them together; nothing is held if there are none.
void hold_nodes(Selection& selection, const std::vector<int>& nodes);

/// Holds a node and shows it with what is around it.
void see_node(Selection& selection, const Graph& graph, int node);

}  // namespace headlight
