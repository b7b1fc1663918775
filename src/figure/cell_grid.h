// Points, boxes and the cells of a picture: their places, the one under a point, the visible ones.
// All is in points of the plane; y points down.
#pragma once

#include <algorithm>
#include <optional>

#include "core/matrix.h"

namespace headlight {

struct Point {
    float x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Box {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    Point center() const { return {x + width / 2, y + height / 2}; }
    bool contains(Point p) const { return p.x >= x && p.y >= y && p.x < right() && p.y < bottom(); }
    bool is_empty() const { return !(width > 0) || !(height > 0); }
    Box moved(Point by) const { return {x + by.x, y + by.y, width, height}; }
};

/// Returns the intersection; empty if the boxes do not meet.
inline Box common_part(const Box& a, const Box& b) {
    const float left = std::max(a.x, b.x), top = std::max(a.y, b.y);
    return {left, top, std::max(0.0f, std::min(a.right(), b.right()) - left),
            std::max(0.0f, std::min(a.bottom(), b.bottom()) - top)};
}

struct CellIndex {
    Index row = 0, column = 0;

    bool operator==(const CellIndex&) const = default;
};

/// The indices first … end − 1.
struct IndexRange {
    Index first = 0, end = 0;

    Index size() const { return end - first; }
    bool contains(Index k) const { return k >= first && k < end; }
    bool operator==(const IndexRange&) const = default;
};

/// The grid of cells inside a figure, for hit tests and for connections between figures. When
/// zoomed in, `cells` is larger than the `frame` through which it is seen.
struct CellGrid {
    Box cells;
    Index rows = 0, columns = 0;
    Box frame{};  // empty: all cells are seen

    float cell_width() const { return columns > 0 ? cells.width / columns : 0; }
    float cell_height() const { return rows > 0 ? cells.height / rows : 0; }
    CellGrid moved(Point by) const {
        CellGrid grid = *this;
        grid.cells = cells.moved(by);
        if (!frame.is_empty()) grid.frame = frame.moved(by);
        return grid;
    }
    Box seen() const { return frame.is_empty() ? cells : common_part(cells, frame); }

    /// Returns the whole box of a cell, including the part that is not visible.
    Box cell_box(Index row, Index column) const;
    Box row_box(Index row) const;
    Box column_box(Index column) const;
    /// Returns the visible cell at p.
    std::optional<CellIndex> cell_at(Point p) const;

    /// Returns the rows that are at least partly visible.
    IndexRange seen_rows() const;
    IndexRange seen_columns() const;
};

}  // namespace headlight
