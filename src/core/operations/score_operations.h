// Scores say how strongly a query matches a key: scores beyond the dot product, and positions
// inside the scores.
//
// Queries are rows i, keys are columns j. Where sentences are stacked (settings.group_rows), i and
// j count within the sentence, and a query meets only the keys of its own sentence; columns of the
// result = keys of one sentence. All operations here read group_rows.
#pragma once

#include "core/operation.h"

namespace headlight::operations {

// ---- scores of contents ----

/// S(i,j) = scale · Q(i)·K(j) / (‖Q(i)‖ ‖K(j)‖), and 0 where a vector is 0. n_query×d, n_key×d →
/// n_query×n_key. Reads scale. The gradient of a vector that is 0 is 0.
extern const Operation cosine_scores;
/// S(i,j) = scale · Σ_d v(d) tanh(a(i,d) + b(j,d)).                      [Bahdanau 2015, A.1.2]
/// Inputs a: n_query×d (query_hidden), b: n_key×d (key_hidden), v: d×1 → n_query×n_key. Reads
/// scale.
extern const Operation additive_scores;
/// The hidden layer of additive_scores: T(p,d) = tanh(a(i,d) + b(j,d)) for the pair p = i · n_key +
/// j. n_query×d, n_key×d → (n_query n_key)×d. group_rows counts rows of a.
extern const Operation additive_hidden;

// ---- scores of positions ----
// i counts from `begin`: the place of a sentence's first query row, when later ones are decoded.

/// R(i,j) = scale · Q(i)·rel(clip(j − i, −c, c) + c).                    [Shaw 2018, eq. 4]
/// Inputs Q: n_query×d, rel: (2c+1)×d → n_query×n_key. Reads scale, count = c, begin.
extern const Operation relative_scores;
/// Y(i) = Σ_j A(i,j) rel(clip(j − i, −c, c) + c).                        [Shaw 2018, eq. 3]
/// Inputs A: n_query×n_key, rel: (2c+1)×d → n_query×d. Reads count = c, begin.
extern const Operation relative_mix;
/// B(i,j) = −scale · |i − j|. A leaf. Reads scale (the slope of the head), begin.  [Press 2022, §3]
extern const Operation alibi_bias;
/// B(i,j) = rel_bias(t5_bucket(j − i), begin).                           [Raffel 2020, §2.1]
/// Input rel_bias: n_buckets×n_heads → n_query×n_key. Reads begin = head, count = max_distance, and
/// indices: null, or the one place of a sentence's first query row.
extern const Operation bucket_bias;
/// Like bucket_bias, with all buckets for keys before the query; keys after it are in bucket 0.
extern const Operation causal_bucket_bias;
/// S(i,j) = −α ‖p(j) − p(i) − Δ‖².                                       [Cordonnier 2020, eq. 9]
/// Inputs Δ: 1×1 on a line, 1×2 on a grid (rows down, columns right), α: 1×1 → n_query×n_key.
/// Reads begin, and count = columns of the grid, which is filled row by row; 0: a line, p(i) = i.
extern const Operation quadratic_scores;

// ---- results made from scores and patterns ----

/// N(i,j) = A(i,j) · ‖V(j) W_O[begin … begin + d_v]‖, or A(i,j) · ‖V(j)‖.  [Kobayashi 2020, §3]
/// Inputs A: n_query×n_key, V: n_key×d_v and, in the first form, W_O: any×d_model. Reads begin.
extern const Operation norm_weighted;
/// C = A ⊙ B, same shapes.
extern const Operation hadamard;

/// The slope of alibi_bias for head = 0, 1 …: 2^(−8(head+1)/n_heads) if n_heads is a power of two.
/// Else the slopes of the power of two below it, then every other one of twice that power.
Scalar alibi_slope(int head, int n_heads);

/// Says if there are buckets for the keys on both sides of the query, or only for those before it.
enum class BucketSides { Both, Before };

/// Returns the bucket of relative_position = j − i: half of a side's buckets hold one distance
/// each, the other half grow with the logarithm up to max_distance, where the last one begins.
Index t5_bucket(Index relative_position, BucketSides sides, Index n_buckets, Index max_distance);

/// Returns all of them, for tests.
std::span<const Operation* const> score_operations();

}  // namespace headlight::operations
