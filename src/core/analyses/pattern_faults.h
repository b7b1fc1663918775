// The reasons why a matrix is not an attention pattern.
#pragma once

#include <string>
#include <vector>

#include "core/edges.h"
#include "core/matrix.h"

namespace headlight {

/// Writes "3 cells are NaN, 2 are negative, rows sum to 0.5 … 1.2"; "" if there is no fault.
/// All-zero rows are allowed: they are fully masked. `tolerance` is how far a row sum may be from
/// 1.
std::string pattern_faults(const Matrix& pattern, Scalar tolerance);

/// The tolerance for patterns that were stored with few bits.
inline constexpr Scalar kSumTolerance = Scalar(5e-3);

/// Finds faults of a pattern with one number an edge: "α of a → b is 1.2, not within 0 … 1 (2 edges
/// are like that), the edges that lead to c sum to 0.5 instead of 1 (3 nodes are like that)".
std::string edge_faults(const Matrix& pattern, const Edges& edges,
                        const std::vector<std::string>& names);

}  // namespace headlight
