// Graphs as JSON: node-link, Cytoscape.js, JSON Graph Format and others.
#pragma once

#include "graph/graph_builder.h"
#include "io/text/json_view.h"

namespace headlight {

/// True of a value that holds a graph in one of these forms and does not say that it is a study:
///   {"nodes": […], "links": […]}, or "edges"    node-link: D3, NetworkX, vis.js, Graphology, Sigma
///   {"nodes": […], "adjacency": [[…], …]}       NetworkX
///   {"elements": {"nodes": […], "edges": […]}}  Cytoscape.js; elements may be one list
///   {"graph": {"nodes": {…}, "edges": […]}}     JSON Graph Format
///   [["a", "b"], ["b", "c", 0.5]]               edges, also as objects
///   {"a": ["b", "c"], "b": [], "c": []}         an adjacency list
///   {"name": …, "children": […]}                a tree, which is refused
bool is_json_graph(const JsonSource& source);

/// Reads a graph. A node is {"id": …, …} or its id; without ids, nodes are called by "key" or
/// "name", or numbered, and links count them from 0. Other members are read by graph/node_table.h,
/// also within "data", "attributes" or "metadata"; "features" is a list of numbers. A link is
/// {"source": …, "target": …, "weight": …}, or has "from" and "to". `directed` counts where the
/// file does not say. Throws Error with line and path for anything else, and beyond the limits.
ReadGraph read_json_graph(const JsonSource& source, Directed directed);

}  // namespace headlight
