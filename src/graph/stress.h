// Stress: how far the distances on the plane are from the distances in the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace headlight {

struct Place {
    double x = 0, y = 0;
};

/// Per node the nodes at its edges, without itself, each once.
using Neighbours = std::vector<std::vector<int>>;

/// Places that make the stress
///     Σ_ij w_ij (‖p_i − p_j‖ − d_ij)²,   d_ij = steps from i to j,   w_ij = 1 / d_ij²
/// small, by stochastic gradient descent over the pairs [Zheng, Pawar, Goodman 2019]. Small graphs
/// use every pair; others the edges and the pairs with some pivots, each of which stands for the
/// nodes around it [Ortmann, Klimenta, Brandes 2016]. The graph must be connected. `passed` is told
/// after each round which share of them is done.
std::vector<Place> minimise_stress(const Neighbours& neighbours, std::uint64_t seed,
                                   const std::function<void(double share)>& passed = {});

}  // namespace headlight
