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

/// √(6 / (fan_in + fan_out))                                        [Glorot & Bengio 2010, eq. 16]
Scalar glorot_limit(Index fan_in, Index fan_out);

}  // namespace headlight
