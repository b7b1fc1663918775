// The cells of a picture: their places, the one under a point, the visible ones.
#include "figure/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// Returns which of `count` steps from `start` on touch the part from `low` to `high`.
IndexRange steps_in(float start, float step, Index count, float low, float high) {
    if (!(step > 0)) return {0, count};
    const auto first = static_cast<Index>(std::floor((low - start) / step));
    const auto end = static_cast<Index>(std::ceil((high - start) / step));
    return {std::clamp<Index>(first, 0, count), std::clamp<Index>(end, 0, count)};
}

}  // namespace

Box CellGrid::cell_box(Index row, Index column) const {
    return {cells.x + column * cell_width(), cells.y + row * cell_height(), cell_width(),
            cell_height()};
}

Box CellGrid::row_box(Index row) const {
    return {cells.x, cells.y + row * cell_height(), cells.width, cell_height()};
}

Box CellGrid::column_box(Index column) const {
    return {cells.x + column * cell_width(), cells.y, cell_width(), cells.height};
}

std::optional<CellIndex> CellGrid::cell_at(Point p) const {
    if (rows == 0 || columns == 0 || !seen().contains(p)) return std::nullopt;
    const auto row = static_cast<Index>((p.y - cells.y) / cells.height * rows);
    const auto column = static_cast<Index>((p.x - cells.x) / cells.width * columns);
    return CellIndex{std::min(row, rows - 1), std::min(column, columns - 1)};
}

IndexRange CellGrid::seen_rows() const {
    const Box box = seen();
    return steps_in(cells.y, cell_height(), rows, box.y, box.bottom());
}

IndexRange CellGrid::seen_columns() const {
    const Box box = seen();
    return steps_in(cells.x, cell_width(), columns, box.x, box.right());
}

}  // namespace headlight
