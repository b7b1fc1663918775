// DOT, the language of Graphviz.                                   [Gansner and North 2000]
//
//     digraph { a -> b -> c [weight=2]; a [label="Ann"]; subgraph x { d -> { e f } } }
#pragma once

#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// True if "graph", "digraph" or "strict" comes first, except for comments, and then a brace.
bool is_dot(std::string_view text);

/// Reads DOT. Nodes are called by their labels if all have one and these differ, else by their ids;
/// "pos" is their place. Ports and subgraphs have no effect, except for edges between sets of
/// nodes. Other attributes are read by graph/node_table.h, except those that say how Graphviz
/// draws. Throws Error with `source_name` and line for anything else, and beyond the limits.
ReadGraph read_dot(std::string_view text, std::string_view source_name);

}  // namespace headlight
