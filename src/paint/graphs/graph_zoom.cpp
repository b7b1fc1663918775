#include "paint/graphs/graph_zoom.h"

namespace headlight {
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
