// The matrix type of the whole program.
#pragma once

#include <Eigen/Core>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string>

#include "core/scalar.h"

namespace headlight {

using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixPtr = std::shared_ptr<const Matrix>;
using ConstView = Eigen::Map<const Matrix>;  // a view of a matrix or of some of its rows
using View = Eigen::Map<Matrix>;

inline View view(Matrix& matrix) {
    return {matrix.data(), matrix.rows(), matrix.cols()};
}
inline ConstView view(const Matrix& matrix) {
    return {matrix.data(), matrix.rows(), matrix.cols()};
}
inline ConstView read_only(View view) {
    return {view.data(), view.rows(), view.cols()};
}

/// A masked score. exp(kMasked) is exactly 0 in every operation here.
inline constexpr Scalar kMasked = -std::numeric_limits<Scalar>::infinity();
/// A number that stands for no row, such as that of padding.
inline constexpr Index kNoRow = -1;

/// "12 × 8"
inline std::string shape_text(Index rows, Index columns) {
    return fmt::format("{} × {}", rows, columns);
}

}  // namespace headlight
