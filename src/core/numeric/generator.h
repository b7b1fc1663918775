// Seeded random numbers that are the same on every machine and compiler.
//
// Each number is a pure function of (seed, key, row, column): integer arithmetic and one rounded
// multiplication. So a matrix that grows keeps its numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/matrix.h"

namespace headlight {

/// The numbers of one seed and key.
class SeededNumbers {
  public:
    SeededNumbers(std::uint64_t seed, std::string_view key);

    /// Draws a number uniform in (−limit, limit), never 0.
    Scalar uniform(Index row, Index column, Scalar limit) const;

    /// Draws a normal number with mean 0 and the given standard deviation: a sum of twelve uniform
    /// numbers, so within ±6 deviations.
    Scalar normal(Index row, Index column, Scalar deviation) const;

  private:
    std::uint64_t stream_;
};

/// Returns √(3 / n): uniform numbers within ± this limit have variance 1 / n. So a sum of n
/// products of them with numbers of unit variance has unit variance for every n.
///                                                                       [LeCun 1998, §4.6]
Scalar unit_sum_limit(Index n);

}  // namespace headlight
