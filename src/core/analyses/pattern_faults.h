// Why a matrix is not an attention pattern.
#pragma once

#include <string>

#include "core/matrix.h"

namespace headlight {

/// "3 cells are NaN, 2 are negative, rows sum to 0.5 … 1.2"; "" if there is no fault. All-zero rows
/// are allowed: they are fully masked. `tolerance` is how far a row sum may be from 1.
std::string pattern_faults(const Matrix& pattern, Scalar tolerance);

/// The tolerance for patterns that were stored with few bits.
inline constexpr Scalar kSumTolerance = Scalar(5e-3);

}  // namespace headlight
