// The part of a graph that its picture shows, and how zooming and moving change it.
#pragma once

#include "paint/figure.h"

namespace headlight {

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
