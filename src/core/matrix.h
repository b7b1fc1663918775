// The matrix type of the whole program, rectangles of its cells, and matrices that stay elsewhere.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
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

/// A rectangle of a matrix's cells.
struct CellRange {
    Index row = 0, column = 0;    // its first
    Index rows = 1, columns = 1;  // their number, at least one of each

    Index size() const { return rows * columns; }
    Index last_row() const { return row + rows - 1; }
    Index last_column() const { return column + columns - 1; }
    bool contains(Index i, Index j) const {
        return i >= row && i <= last_row() && j >= column && j <= last_column();
    }
    bool is_within(Index n_rows, Index n_columns) const {
        return row >= 0 && column >= 0 && rows > 0 && columns > 0 && last_row() < n_rows &&
               last_column() < n_columns;
    }
    bool operator==(const CellRange&) const = default;
};

/// Returns the rectangle with two cells in opposite corners.
inline CellRange range_between(Index row, Index column, Index other_row, Index other_column) {
    return {std::min(row, other_row), std::min(column, other_column), std::abs(row - other_row) + 1,
            std::abs(column - other_column) + 1};
}

struct LaterMatrices;

/// Matrices that stay elsewhere, such as in a file, and are read when needed.
struct MatrixSource {
    /// Fills `rows` with the rows of matrix number `matrix` from `first_row` on. May be called from
    /// several threads. Throws Error if they cannot be read.
    std::function<void(Index matrix, Index first_row, View rows)> read;
    std::shared_ptr<const LaterMatrices> later = {};  // null: every matrix is there
};

/// Matrices that come one by one, when they are asked for, and the summaries that come first. All
/// have the numbers of the matrices.
struct LaterMatrices {
    std::function<bool(Index matrix)> is_there;  // until then reading throws Error
    std::function<void(Index matrix)> ask;       // does nothing if it was asked for before
    std::function<std::string()> words;          // says what a missing matrix waits for
    Index overview_side = 0;
    std::shared_ptr<const MatrixSource> overviews;  // the largest of what falls on each cell
    std::shared_ptr<const MatrixSource> metrics;    // of the whole patterns (head_metrics.h)
};

}  // namespace headlight
