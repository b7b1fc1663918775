// Node-link JSON: {"nodes": […], "links": […]}, as D3 and NetworkX have it.
#pragma once

#include "graph/graph_builder.h"
#include "io/text/json_view.h"

namespace headlight {

/// True for an object with "nodes", "links" or "edges" that does not say that it is a study.
bool is_node_link(const JsonSource& source);

/// A node is {"id": …, …} or its id; without ids, nodes are called by "name" or numbered, and links
/// count them from 0. Other members are what graph/node_table.h makes of them; "features" is a list
/// of numbers. A link is {"source": …, "target": …, "weight": …}. `directed` counts where the file
/// does not say. Throws Error with line and path for anything else, and beyond the limits.
ReadGraph read_node_link(const JsonSource& source, Directed directed);

}  // namespace headlight
