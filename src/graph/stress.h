// Stress: how far the distances on the plane are from the distances in the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/pieces.h"

namespace headlight {

struct Place {
    double x = 0, y = 0;
};

/// For each node, its neighbours along edges, without itself, each once.
using Neighbours = std::vector<std::vector<int>>;

/// Steps within a group have length 1, those between two groups are longer.
struct StepLengths {
    std::vector<int> groups;  // by node; empty: every step has length 1
    int between = 1;

    int of(int a, int b) const { return groups.empty() || groups[a] == groups[b] ? 1 : between; }
};

/// Returns places that make the stress
///     Σ_ij w_ij (‖p_i − p_j‖ − d_ij)²,   d_ij = the length of the steps from i to j,   w_ij = 1 /
///     d_ij²
/// small, by stochastic gradient descent over the pairs [Zheng, Pawar, Goodman 2019]. Small graphs
/// use every pair; others the edges and the pairs with some pivots, each of which stands for the
/// nodes around it [Ortmann, Klimenta, Brandes 2016]. The graph must be connected. `passed` is told
/// after each round which share of them is done. What it refers to must outlive its pieces, which
/// take some milliseconds.
Pieces<std::vector<Place>> minimise_stress(const Neighbours& neighbours, std::uint64_t seed,
                                           const std::function<void(double share)>& passed,
                                           const StepLengths& lengths);

/// Returns the steps from the node to every other one.
std::vector<int> steps_from(int source, const Neighbours& neighbours,
                            const StepLengths& lengths = {});

}  // namespace headlight
