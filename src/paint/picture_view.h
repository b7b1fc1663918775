// Which part of a matrix its large picture shows, and how zooming and moving change that.
//
// Goals: one number for both axes. The cells of a long and narrow matrix first become as high as
// they are wide; from then on all of them grow.
// Not goals: pointers, wheels, keys.
#pragma once

#include "paint/cell_grid.h"

namespace headlight {

struct PictureView {
    double zoom = 1;             // of the smaller side of a cell; 1: all of the matrix is seen
    double row = 0, column = 0;  // what is in the middle, in cells: 0.5 is the middle of the first

    bool is_whole() const { return zoom <= 1; }
    bool operator==(const PictureView&) const = default;
};

/// What a picture's size leaves for its cells.
struct ZoomRoom {
    CellGrid whole;  // where the cells are while all are seen
    Point largest;   // width and height of the largest frame; its corner is that of the whole
};

/// The zoom that makes a cell as large as it gets, at least 1.
double largest_zoom(const ZoomRoom& room);

/// Where the cells are in that view: never more room at an edge than there must be.
CellGrid zoomed(const ZoomRoom& room, const PictureView& view);

/// The same, with what really is in its middle.
PictureView settled(const ZoomRoom& room, PictureView view);

/// What is under `at` stays there while everything grows by `factor`.
PictureView zoomed_at(const ZoomRoom& room, const PictureView& view, Point at, double factor);

/// Everything moves by so many points, as far as there is more to be seen.
PictureView moved(const ZoomRoom& room, const PictureView& view, Point by);

/// Moved no further than needed for a cell to be seen whole.
PictureView seeing(const ZoomRoom& room, const PictureView& view, CellIndex cell);

}  // namespace headlight
