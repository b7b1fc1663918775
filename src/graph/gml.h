// GML: a graph as nested lists of keys and values.                                  [Himsolt 1997]
//
//     graph [ directed 1  node [ id 0 label "a" ]  node [ id 1 ]  edge [ source 0 target 1 weight 2
//     ] ]
#pragma once

#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// True if "graph [" comes first, except for comments and other keys.
bool is_gml(std::string_view text);

/// Reads GML. Nodes come before their edges. Other keys of nodes are read by graph/node_table.h, x
/// and y also within "graphics"; keys that come twice, as lists, have no effect. `directed` counts
/// where the file does not say. Throws Error with `source_name` and line, and beyond the limits.
ReadGraph read_gml(std::string_view text, Directed directed, std::string_view source_name);

}  // namespace headlight
