#include "core/edges.h"

#include <algorithm>

#include "core/error.h"

namespace headlight {

Edges make_edges(Index n_nodes, std::vector<EdgeEnds> list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());

    Edges edges;
    edges.n_nodes = n_nodes;
    edges.offsets.assign(static_cast<std::size_t>(n_nodes) + 1, 0);
    for (const EdgeEnds& ends : list) {
        if (ends.row < 0 || ends.row >= n_nodes || ends.neighbour < 0 || ends.neighbour >= n_nodes)
            throw Error("edges", "edge {} ← {} names a node outside 0 … {}", ends.row,
                        ends.neighbour, n_nodes - 1);
        ++edges.offsets[static_cast<std::size_t>(ends.row) + 1];
        edges.row.push_back(ends.row);
        edges.neighbour.push_back(ends.neighbour);
    }
    for (std::size_t i = 1; i < edges.offsets.size(); ++i) edges.offsets[i] += edges.offsets[i - 1];
    return edges;
}

}  // namespace headlight
