// Changes to the graph that a document is about, drawn or recorded, and what reads what in it.
#pragma once

#include <functional>

#include "core/edges.h"
#include "model/document.h"

namespace headlight {

/// Changes the graph; edits and pins follow their nodes and edges. Throws Error if there is none,
/// or if anything but the places of nodes changes in one that attention was recorded on.
void change_graph(Document& document, const std::function<void(Graph&)>& change);

/// The edges as a layer sees them: undirected edges in both directions, and self-loops where they
/// are asked for.
Edges graph_edges(const Graph& graph, Switch self_loops = Switch::Off);
Edges graph_edges(const GraphStudy& study);

bool are_same_but_for_places(Graph a, const Graph& b);

}  // namespace headlight
