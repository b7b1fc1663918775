// The part of a matrix or of a graph that its large picture shows, and how zooming and moving
// change it.
#include "figure/picture_view.h"

#include <cmath>

namespace headlight {
namespace {

constexpr float kLargestZoomedCell = 96;  // points
constexpr float kLargestOfFrame = 0.4f;   // so that more than two are seen
constexpr float kNarrow = 0.6f;           // of the room: a frame that is narrower grows

float least_cell(const CellGrid& grid) {
    return std::min(grid.cell_width(), grid.cell_height());
}

/// Returns the length of the frame. A frame that grows moves cells away from under the pointer, so
/// it grows only where it would be narrow.
float frame_length(float length, float whole, float largest) {
    return whole < kNarrow * largest ? std::min(length, largest) : whole;
}

/// Returns the start of cells of that length, so that `middle` is in the middle of a frame that
/// they fill.
float clamped_start(double middle, float cell, float length, float from, float frame) {
    const double start = from + frame / 2 - middle * cell;
    return static_cast<float>(std::clamp<double>(start, from + frame - length, from));
}

}  // namespace

double largest_zoom(const ZoomRoom& room) {
    const float side = kLargestOfFrame * std::min(room.largest.x, room.largest.y);
    const float least = least_cell(room.whole);
    return least > 0 ? std::max(1.0f, std::min(kLargestZoomedCell, side) / least) : 1;
}

CellGrid zoomed(const ZoomRoom& room, const PictureView& view) {
    if (view.is_whole() || room.whole.cells.is_empty()) return room.whole;
    CellGrid grid = room.whole;
    const Box& whole = room.whole.cells;
    const auto zoom = static_cast<float>(std::clamp(view.zoom, 1.0, largest_zoom(room)));
    const float cell = zoom * least_cell(room.whole);
    const auto length = [&](Index count, float least) { return std::max(least, count * cell); };
    const float width = length(grid.columns, whole.width);
    const float height = length(grid.rows, whole.height);
    grid.frame = {whole.x, whole.y, frame_length(width, whole.width, room.largest.x),
                  frame_length(height, whole.height, room.largest.y)};
    const Box& frame = grid.frame;
    grid.cells = {clamped_start(view.column, width / grid.columns, width, frame.x, frame.width),
                  clamped_start(view.row, height / grid.rows, height, frame.y, frame.height), width,
                  height};
    return grid;
}

PictureView settled(const ZoomRoom& room, PictureView view) {
    const CellGrid grid = zoomed(room, view);
    const Point middle = grid.seen().center();
    view.column = (middle.x - grid.cells.x) / grid.cell_width();
    view.row = (middle.y - grid.cells.y) / grid.cell_height();
    return view;
}

PictureView zoomed_at(const ZoomRoom& room, const PictureView& view, Point at, double factor) {
    const double zoom = std::clamp(view.zoom * factor, 1.0, largest_zoom(room));
    if (!(zoom > 1)) return {};
    const CellGrid before = zoomed(room, view);
    const double column = (at.x - before.cells.x) / before.cell_width();
    const double row = (at.y - before.cells.y) / before.cell_height();
    const CellGrid after = zoomed(room, {zoom, row, column});
    const Point middle = after.frame.center();
    return settled(room, {zoom, row + (middle.y - at.y) / after.cell_height(),
                          column + (middle.x - at.x) / after.cell_width()});
}

PictureView moved(const ZoomRoom& room, const PictureView& view, Point by) {
    if (view.is_whole()) return view;
    const CellGrid grid = zoomed(room, view);
    const PictureView from = settled(room, view);
    return settled(room, {from.zoom, from.row - by.y / grid.cell_height(),
                          from.column - by.x / grid.cell_width()});
}

PictureView seeing(const ZoomRoom& room, const PictureView& view, CellIndex cell) {
    if (view.is_whole()) return view;
    const CellGrid grid = zoomed(room, view);
    const Box box = grid.cell_box(cell.row, cell.column), frame = grid.seen();
    const auto shift = [](float low, float high, float from, float to) {
        return low < from ? from - low : high > to ? to - high : 0.0f;
    };
    const Point by{shift(box.x, box.right(), frame.x, frame.right()),
                   shift(box.y, box.bottom(), frame.y, frame.bottom())};
    return by.x == 0 && by.y == 0 ? view : moved(room, view, by);
}

namespace {

/// Keeps the picture within the graph.
GraphZoom settled(GraphZoom view) {
    view.zoom = std::clamp(view.zoom, 1.0, kMostGraphZoom);
    const double half = 0.5 / view.zoom;
    view.x = std::clamp(view.x, half, 1 - half);
    view.y = std::clamp(view.y, half, 1 - half);
    return view;
}

}  // namespace

Box zoomed(const Box& whole, const GraphZoom& view) {
    const GraphZoom seen = settled(view);
    const double width = whole.width * seen.zoom, height = whole.height * seen.zoom;
    const Point center = whole.center();
    return {static_cast<float>(center.x - seen.x * width),
            static_cast<float>(center.y - seen.y * height), static_cast<float>(width),
            static_cast<float>(height)};
}

GraphZoom zoomed_at(const Box& whole, const GraphZoom& view, Point at, double factor) {
    if (whole.is_empty()) return view;
    const GraphZoom before = settled(view);
    const double dx = (at.x - whole.center().x) / whole.width;
    const double dy = (at.y - whole.center().y) / whole.height;
    const double zoom = std::clamp(before.zoom * factor, 1.0, kMostGraphZoom);
    return settled(
        {zoom, before.x + dx / before.zoom - dx / zoom, before.y + dy / before.zoom - dy / zoom});
}

GraphZoom moved(const Box& whole, const GraphZoom& view, Point by) {
    if (whole.is_empty()) return view;
    const GraphZoom before = settled(view);
    return settled({before.zoom, before.x - by.x / (whole.width * before.zoom),
                    before.y - by.y / (whole.height * before.zoom)});
}

}  // namespace headlight
