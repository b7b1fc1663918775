// Seeded random numbers that are the same on every machine and compiler.
//
// Each number is a pure function of (seed, key, row, column), made with integer arithmetic and one
// rounded multiplication; so a matrix that grows keeps the numbers it had.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/matrix.h"

namespace headlight {

/// The numbers of one seed and key.
class SeededNumbers {
  public:
    SeededNumbers(std::uint64_t seed, std::string_view key);

    /// Uniform in (−limit, limit), never 0.
    Scalar uniform(Index row, Index column, Scalar limit) const;

    /// Normal with mean 0 and the given deviation (sum of twelve uniforms; within ±6 deviations).
    Scalar normal(Index row, Index column, Scalar deviation) const;

  private:
    std::uint64_t stream_;
};

/// √(3 / n): uniform numbers within ± this have variance 1 / n. So a sum of n products of them with
/// numbers of unit variance has unit variance, however wide it is.               [LeCun 1998, §4.6]
Scalar unit_sum_limit(Index n);

}  // namespace headlight
