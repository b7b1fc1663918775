// The part of a matrix or of a graph that its large picture shows, and how zooming and moving
// change it.
//
// Goals: one number for both axes. The cells of a long and narrow matrix first grow until they are
// as high as they are wide; from then on both sides grow.
// Not goals: pointers, wheels, keys.
#pragma once

#include "figure/cell_grid.h"

namespace headlight {

struct PictureView {
    double zoom = 1;             // factor of a cell's smaller side; 1: the whole matrix is visible
    double row = 0, column = 0;  // the middle, in cells: 0.5 is the middle of the first

    bool is_whole() const { return zoom <= 1; }
    bool operator==(const PictureView&) const = default;
};

/// The room that a picture has for its cells.
struct ZoomRoom {
    CellGrid whole;  // the grid when the whole matrix is visible
    Point largest;   // width and height of the largest frame; its corner is that of the whole
};

/// Returns the zoom that makes a cell as large as it gets, at least 1.
double largest_zoom(const ZoomRoom& room);

/// Returns the grid in that view, without needless empty space at an edge.
CellGrid zoomed(const ZoomRoom& room, const PictureView& view);

/// Returns the view with its true middle, after keeping to the edges.
PictureView settled(const ZoomRoom& room, PictureView view);

/// Returns the view after zooming by `factor`; the point under `at` stays there.
PictureView zoomed_at(const ZoomRoom& room, const PictureView& view, Point at, double factor);

/// Returns the view after moving everything by `by` points, as far as there is more to see.
PictureView moved(const ZoomRoom& room, const PictureView& view, Point by);

/// Returns the view moved no further than needed for a cell to be seen whole.
PictureView seeing(const ZoomRoom& room, const PictureView& view, CellIndex cell);

inline constexpr double kMostGraphZoom = 400;

struct GraphZoom {
    double zoom = 1;          // 1: the whole graph is visible
    double x = 0.5, y = 0.5;  // the middle of the picture, a place in [0,1]²

    bool is_whole() const { return zoom <= 1; }
    bool operator==(const GraphZoom&) const = default;
};

/// Returns the place of [0,1]² in that view, if the whole of it fills `whole`.
Box zoomed(const Box& whole, const GraphZoom& view);

/// Returns the view after zooming by `factor`; the point under `at` stays there.
GraphZoom zoomed_at(const Box& whole, const GraphZoom& view, Point at, double factor);

/// Returns the view after moving everything by so many points, as far as there is more to see.
GraphZoom moved(const Box& whole, const GraphZoom& view, Point by);

}  // namespace headlight
