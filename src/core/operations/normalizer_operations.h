// Normalizers turn scores into a pattern: which keys a query reads, and how much of each.
//
// All work row by row, n_query×n_key → n_query×n_key, and agree with softmax_rows at the edges: a
// masked cell (−∞) is exactly 0; a fully masked row is all zeros, with zero gradient; a row with
// NaN or +∞ becomes NaN. Rows sum to 1 otherwise. A temperature is in the scores already.
#pragma once

#include <string>

#include "core/operation.h"
#include "core/settings.h"

namespace headlight {

/// Returns the operation from masked scores to a pattern, row by row. Reads count = top_k.
const Operation& normalizer_operation(Normalizer normalizer);

/// Writes "softmax(S + M)", for the scores "S + M".
std::string normalized_text(Normalizer normalizer, int top_k, const std::string& scores);

}  // namespace headlight

namespace headlight::operations {

/// 1 for the largest score, the first one of equals, else 0. No gradient passes.
extern const Operation hard_rows;
/// Softmax over the k largest scores, earlier ones first among equals; 0 elsewhere. Reads count =
/// k; k ≥ n_key is softmax. The gradient is that of the softmax, and 0 where the key was left out.
extern const Operation top_k_rows;
/// The point of the simplex nearest to the scores: A(i,j) = max(S(i,j) − τ, 0), with τ such that
/// the row sums to 1.                                              [Martins & Astudillo 2016, alg.
/// 1]
extern const Operation sparsemax_rows;
/// Entmax with α = 1.5, between softmax (1) and sparsemax (2): A(i,j) = max(S(i,j)/2 − τ, 0)², with
/// τ such that the row sums to 1; exact.                           [Peters 2019, §3]
extern const Operation entmax_rows;

/// Returns all of them, for tests.
std::span<const Operation* const> normalizer_operations();

}  // namespace headlight::operations
