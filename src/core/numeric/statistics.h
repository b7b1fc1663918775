// Plain statistics of matrices and attention rows.
#pragma once

#include "core/edges.h"
#include "core/matrix.h"

namespace headlight {

struct Summary {
    Scalar low = 0, high = 0, mean = 0, deviation = 0;  // of the finite cells
    Index n_masked = 0, n_nan = 0;
};

Summary summarise(const Matrix& values);

/// Returns −Σ p log₂ p of one row of probabilities, in bits; 0 log 0 = 0. Range 0 … log₂(columns).
Scalar row_entropy_bits(const Matrix& pattern, Index row);

/// Returns the mean of row_entropy_bits over the rows that are not fully masked; 0 if there is
/// none.
Scalar mean_entropy_bits(const Matrix& pattern);
/// Returns the mean entropy of a pattern with one row per edge (E × 1): the edges of a node form
/// one row.
Scalar mean_entropy_bits(const Matrix& pattern, const Edges& edges);

}  // namespace headlight
