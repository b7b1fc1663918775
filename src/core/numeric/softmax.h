// Softmax of one list of scores, for rows of matrices and for the edges of a node.
#pragma once

#include <span>

#include "core/operation.h"

namespace headlight {

/// a(j) = exp(s(j) − m) / Σ exp(s(j') − m), m = max s.
/// −∞ gives exactly 0; all −∞ (or nothing) gives all 0; NaN or +∞ anywhere gives NaN everywhere.
void softmax(std::span<const Scalar> s, std::span<Scalar> a);

/// The same of lists that lie one after another in s and in a: list k is offsets(k) … offsets(k +
/// 1) − 1. `offsets` has one number more than there are lists.
void softmax_lists(std::span<const Index> offsets, const Scalar* s, Scalar* a);

/// A score on its way to a weight: shifted by the largest one, as a power of e, and its share of
/// their sum.
struct SoftmaxEntry {
    CellRef score;
    Scalar shifted = 0, exp = 0, weight = 0;
};
struct SoftmaxTable {
    std::vector<SoftmaxEntry> entries;
    Scalar max = kMasked, sum = 0;  // of the scores; of the powers
};

/// The whole list that an explained entry is one of. Masked scores have −∞, 0 and 0.
SoftmaxTable softmax_table(const Explanation& explanation);

/// Explains the entry `at` of the softmax over `scores`; `result` is its value. Its terms are the
/// powers of the scores less the largest, as they are computed, whether scores are large or not.
Explanation explain_softmax(std::vector<CellRef> scores, std::size_t at, Scalar result);

}  // namespace headlight
