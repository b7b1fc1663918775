// Softmax of one list of scores, for rows of matrices and for the edges of a node.
#pragma once

#include <span>

#include "core/numeric/row_functions.h"
#include "core/operation.h"

namespace headlight {

/// a(j) = exp(s(j) − m) / Σ exp(s(j') − m), m = max s.
/// A score of −∞ gives exactly 0. If all scores are −∞, all results are 0. A single NaN or +∞ makes
/// all results NaN.
void softmax(std::span<const Scalar> s, std::span<Scalar> a);

/// Computes the softmax of each row of n numbers; the rows lie one after another in s and a.
void softmax_rows(const Scalar* s, Scalar* a, Index n_rows, Index n);

/// Computes the softmax of each of several lists, which lie one after another in s and a, for
/// several heads. List k is at offsets(k) ≤ e < offsets(k + 1); so `offsets` has one number more
/// than there are lists. The bits of one head do not depend on the others.
void softmax_lists(std::span<const Index> offsets, std::span<const ListScores> heads);

/// A score s, s − max, exp(s − max), and its share of the sum of these powers.
struct SoftmaxEntry {
    CellRef score;
    Scalar shifted = 0, exp = 0, weight = 0;
};
struct SoftmaxTable {
    std::vector<SoftmaxEntry> entries;
    Scalar max = kMasked, sum = 0;  // the largest score; the sum of the powers
};

/// Returns the softmax of the whole list from the explanation of one entry. A masked score has a
/// shifted score of −∞, a power of 0 and a share of 0.
SoftmaxTable softmax_table(const Explanation& explanation);

/// Explains the entry `at` of the softmax over `scores`; `result` is its value. The terms are
/// exp(s − max s), as they are computed, for small and for large scores.
Explanation explain_softmax(std::vector<CellRef> scores, std::size_t at, Scalar result);

}  // namespace headlight
