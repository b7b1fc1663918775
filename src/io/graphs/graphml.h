// GraphML: a graph as XML, as NetworkX, igraph, Gephi and yEd write it.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// Reads nodes, edges, a weight for each edge (attr.name "weight"), and the nodes' data as
/// graph/node_table.h understands them, among them labels and places that yEd draws. An edge has
/// the direction that it says itself, else that of the graph. Throws Error, with `source` and the
/// line, for anything that is not well-formed or not GraphML, for nested graphs and hyperedges, and
/// beyond the limits.
ReadGraph read_graphml(std::string_view bytes, const std::string& source);

}  // namespace headlight
