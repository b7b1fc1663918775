// The inputs of a head, and the way from its queries and keys to its scores.
#pragma once

#include <optional>

#include "core/mechanisms/attention.h"
#include "core/plan.h"

namespace headlight {

/// Returns the head's tensor with that role: its own, else that of the group whose keys and values
/// it reads. Nothing if it has none.
std::optional<TensorId> find_head_input(const Plan& plan, const Location& attention, int head,
                                        Role role);

/// One head while it is being named.
struct Head {
    Location here, weights;  // "blocks.0.attn.heads.2"; of its weights
    HeadWidths widths = {};
    TensorId W_Q = 0, W_K = 0, W_V = 0;  // if the projection has a weight
    TensorId q = 0, k = 0, v = 0;
    TensorId pattern = 0, z = 0;
};

/// Axes of a pattern.
struct PatternAxes {
    Axis query, key;  // n_query (of all stacked sentences), n_key (of one)
    Index group_rows = 0;
};
PatternAxes pattern_axes(const Plan& plan, const AttentionPlace& place);

/// Appends `rows` to those rows of the cache that have this role, as a tensor with that role;
/// returns `rows` itself where there is no cache.
TensorId add_to_cache(Plan& plan, const AttentionPlace& place, TensorId rows, Role role);

/// Returns the place on a grid where head h looks if heads share the grid: row by row over the
/// smallest square that has a place for each; nine make a 3 × 3 kernel. 1 × 2: down, right.
Matrix grid_center(int head, int n_heads);

/// Returns the factor of a product of q and k: where the score is scaled 1 / √d_k, or d_k to
/// another power; 1 / temperature.
Scalar score_scale(const AttentionSettings& settings, int d_k);
/// Returns " / √d_k", " / (d_k^{0.25} T)", …, or nothing, to follow "Q K^T".
std::string over_scale(const AttentionSettings& settings);

/// Adds leaves that all heads share: Shaw's tables, the biases of the buckets, α.
void add_shared_positions(Plan& plan, const AttentionSettings& settings,
                          const AttentionPlace& place, std::uint64_t seed);

/// Adds head.scores and everything between it and head.q, head.k.
TensorId add_scores(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
                    const Head& head, std::uint64_t seed);

/// Adds head.pattern, made from head.masked_scores by the normalizer.
TensorId add_pattern(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
                     const Head& head, TensorId scores);

}  // namespace headlight
