// A rectangle of a matrix's cells.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/matrix.h"

namespace headlight {

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

}  // namespace headlight
