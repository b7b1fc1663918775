// Matrix Market: a graph as its adjacency matrix.                    [NIST, Boisvert et al. 1996]
#pragma once

#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// Reads "%%MatrixMarket matrix coordinate|array real|integer|pattern
/// general|symmetric|skew-symmetric", square. Nodes are "1" … "n". The entry (i, j) is an edge from
/// i to j with that weight; one that is 0 is none. A symmetric matrix is an undirected graph.
/// Throws Error with `source_name` and line for anything else, and beyond the limits.
ReadGraph read_matrix_market(std::string_view text, std::string_view source_name);

}  // namespace headlight
