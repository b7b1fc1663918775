// What a head does on the edges of a graph, in numbers.
#pragma once

#include "core/operation.h"

namespace headlight::operations {

/// Input: a pattern, E × 1, with `settings.edges`. Result: 2 × metrics, both rows the same, since a
/// graph has no first token. α(i,j) is renormalised over the neighbours that node i reads; means
/// are over the nodes that read something:
///     entropy    mean_i −Σ_j α(i,j) log₂ α(i,j)
///     symmetry   Σ α(i,j) α(j,i) / Σ α(i,j)²,  α(j,i) = 0 without that edge
///     sparsity   mean_i (√n − 1/‖α(i)‖) / (√n − 1), n the neighbours of i; 0 for one      [Hoyer]
/// The others need an order of the nodes, or words: NaN.
void graph_head_metrics(const Call& call, View result);

}  // namespace headlight::operations
