// GraphML: a graph as XML, as NetworkX, igraph, Gephi and yEd write it.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// Nodes, edges, a weight for each edge (attr.name "weight"), and what graph/node_table.h makes of
/// the nodes' data. Throws Error, with `source` and the line, for what is not well-formed or not
/// GraphML, for nested graphs, hyperedges and mixed directions, and beyond the limits.
ReadGraph read_graphml(std::string_view bytes, const std::string& source);

}  // namespace headlight
