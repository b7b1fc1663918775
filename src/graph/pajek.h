// Pajek's networks: *Vertices, then *Arcs and *Edges.                  [Batagelj and Mrvar 1998]
#pragma once

#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// True if the first line that is no comment is *Network, *Vertices, *Arcs, *Edges or *Matrix.
bool is_pajek(std::string_view text);

/// Reads a network. Nodes are called by their labels if these differ, else by their numbers. Arcs
/// are directed, edges are not; the third number is the weight. Lists of arcs and edges and a
/// matrix are read as well. Throws Error with `source_name` and line for anything else, and beyond
/// the limits.
ReadGraph read_pajek(std::string_view text, std::string_view source_name);

}  // namespace headlight
