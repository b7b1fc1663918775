// Graph attention beyond sums along the edges: the scores of GATv2 and of the graph transformer,
// features of edges, and the attention that every node would pay to every other.
//
// An edge e = (i reads j) has one row. If a result has one row per edge, blocks of rows are blocks
// of edges. Operations on edges read settings.edges.
#pragma once

#include "core/operation.h"

namespace headlight::operations {

// ---- edges ----

/// F(e,f) ~ N(0, scale²), keyed by names[i], names[j] and f: an edge keeps its features while
/// others come and go. A leaf, E×d_edge. Reads scale, seed, names.
extern const Operation edge_features;

/// s(e) = dst(i) + src(j) + edge(e). n×1, n×1, E×1 → E×1.
extern const Operation edge_feature_scores;

/// e(e) = Σ_d a(d) · LeakyReLU(H_dst(i,d) + H_src(j,d) + F(e,d)).          [Brody 2022, eq. 7]
/// Inputs H_dst: n×d, H_src: n×d, a: d×1 and, if edges have features, F: E×d → E×1. Reads scale,
/// the slope below 0.
extern const Operation edge_pair_scores;

/// s(e) = scale · Σ_d Q(i,d) · (K(j,d) + F(e,d)).                          [Shi 2021, eq. 3]
/// Inputs Q: n×d, K: n×d and, if edges have features, F: E×d → E×1. Reads scale.
extern const Operation edge_dot_scores;

/// Y(i) = Σ α(e) · (V(j) + F(e)) over the edges of i. E×1, n×d, E×d → n×d; 0 for a row without
/// edges.                                                                  [Shi 2021, eq. 4]
extern const Operation edge_feature_mix;

// ---- all pairs of nodes, edge or not ----

/// S(i,j) = LeakyReLU(dst(i) + src(j)). n×1, n×1 → n×n. Reads scale, the slope below 0.
extern const Operation all_sum_scores;

/// S(i,j) = Σ_d a(d) · LeakyReLU(H_dst(i,d) + H_src(j,d)). n×d, n×d, d×1 → n×n. Reads scale.
extern const Operation all_pair_scores;

/// R(i,j) = the rank of key j among the keys of query i: how many are scored higher. Of equal
/// scores the first ranks higher; NaN ranks last. n×m → n×m, whole numbers. An analysis.
extern const Operation ranking;

/// Returns all of them, for tests.
std::span<const Operation* const> graph_operations();

}  // namespace headlight::operations
