#include "core/edges.h"

#include <algorithm>

#include "core/error.h"

namespace headlight {

Edges make_edges(Index n_nodes, std::vector<Reading> readings) {
    std::sort(readings.begin(), readings.end());
    readings.erase(std::unique(readings.begin(), readings.end()), readings.end());

    Edges edges;
    edges.n_nodes = n_nodes;
    edges.offsets.assign(static_cast<std::size_t>(n_nodes) + 1, 0);
    for (const Reading& reading : readings) {
        if (reading.row < 0 || reading.row >= n_nodes || reading.neighbour < 0 ||
            reading.neighbour >= n_nodes)
            throw Error("edges", "edge " + std::to_string(reading.row) + " ← " +
                                     std::to_string(reading.neighbour) +
                                     " names a node outside 0 … " + std::to_string(n_nodes - 1));
        ++edges.offsets[static_cast<std::size_t>(reading.row) + 1];
        edges.row.push_back(reading.row);
        edges.neighbour.push_back(reading.neighbour);
    }
    for (std::size_t i = 1; i < edges.offsets.size(); ++i) edges.offsets[i] += edges.offsets[i - 1];
    return edges;
}

}  // namespace headlight
