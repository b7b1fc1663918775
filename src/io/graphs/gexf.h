// GEXF: a graph as XML, as Gephi, NetworkX and Sigma write it.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// Reads nodes with labels and places, edges with weights and directions of their own, and the
/// nodes' values as graph/node_table.h understands them. Throws Error, with `source` and the line,
/// for anything that is not well-formed or not GEXF, for nodes within nodes and values over time,
/// and beyond the limits.
ReadGraph read_gexf(std::string_view bytes, const std::string& source);

}  // namespace headlight
