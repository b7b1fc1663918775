// Edges say which node may read which in a graph: one list of neighbours per node, all in one array
// (CSR).
#pragma once

#include <vector>

#include "core/matrix.h"

namespace headlight {

/// Edge e lets node row[e] (it looks) read node neighbour[e] (it is looked at). Edges are ordered
/// by row, then by neighbour; those of row i are offsets[i] … offsets[i + 1] − 1.
struct Edges {
    Index n_nodes = 0;
    std::vector<Index> offsets;  // n_nodes + 1
    std::vector<Index> row, neighbour;

    Index size() const { return static_cast<Index>(row.size()); }
    bool operator==(const Edges&) const = default;
};

/// The two nodes of an edge: `row` reads `neighbour`.
struct EdgeEnds {
    Index row = 0, neighbour = 0;

    auto operator<=>(const EdgeEnds&) const = default;
};

/// Sorts the edges and drops repeated ones. Throws Error if an index is not in [0, n_nodes).
Edges make_edges(Index n_nodes, std::vector<EdgeEnds> list);

}  // namespace headlight
