// What keeps a matrix from being a pattern of attention.
#pragma once

#include <string>

#include "core/matrix.h"

namespace headlight {

/// "3 cells are NaN, 2 are negative, rows sum to 0.5 … 1.2"; "" if there is nothing to say. Rows
/// that are all zeros are legal: fully masked. `tolerance` is how far from 1 a sum may be.
std::string pattern_faults(const Matrix& pattern, Scalar tolerance);

/// Of patterns that were stored in few bits.
inline constexpr Scalar kSumTolerance = Scalar(5e-3);

}  // namespace headlight
