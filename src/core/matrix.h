// The number type and the matrix type of the whole program.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>

namespace headlight {

/// float; the derivative tests build the same sources with double.
#ifdef HEADLIGHT_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixPtr = std::shared_ptr<const Matrix>;

/// A masked score. exp(kMasked) is exactly 0 in every operation here.
inline constexpr Scalar kMasked = -std::numeric_limits<Scalar>::infinity();

/// "12 × 8"
inline std::string shape_text(Index rows, Index columns) {
    return std::to_string(rows) + " × " + std::to_string(columns);
}

}  // namespace headlight
