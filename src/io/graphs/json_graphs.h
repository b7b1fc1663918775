// Graphs as JSON: node-link, Cytoscape.js, JSON Graph Format and others.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "graph/graph.h"
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

/// Reads a list of numbers, as long as that of every other node: `n_features` is 0 before the first
/// one. Throws Error with the place.
inline Features read_features(const JsonView& list, std::size_t& n_features) {
    if (n_features == 0) n_features = list.size();
    if (list.size() == 0 || list.size() != n_features)
        list.fail("has {} features; all nodes that have some have as many, 1 or more", list.size());
    std::vector<float> values;
    list.for_each_element(
        [&](const JsonView& value) { values.push_back(static_cast<float>(value.number())); });
    return Features(std::move(values));
}

}  // namespace headlight
