// Geometry of the curves that pictures share.
#include "paint/curve.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr int kPieces = 24;

float distance_to_segment(Point a, Point b, Point p) {
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float length_squared = dx * dx + dy * dy;
    float t = 0;
    if (length_squared > 0)
        t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length_squared, 0.0f, 1.0f);
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// A curve lies within the box around its four points.
bool is_beyond(const CurveMark& c, Point p, float distance) {
    const auto [left, right] = std::minmax({c.from.x, c.control_1.x, c.control_2.x, c.to.x});
    const auto [top, bottom] = std::minmax({c.from.y, c.control_1.y, c.control_2.y, c.to.y});
    return p.x < left - distance || p.x > right + distance || p.y < top - distance ||
           p.y > bottom + distance;
}

}  // namespace

Point point_on(const CurveMark& c, float t) {
    const float u = 1 - t;
    const float a = u * u * u, b = 3 * u * u * t, d = 3 * u * t * t, e = t * t * t;
    return {a * c.from.x + b * c.control_1.x + d * c.control_2.x + e * c.to.x,
            a * c.from.y + b * c.control_1.y + d * c.control_2.y + e * c.to.y};
}

Point direction_on(const CurveMark& c, float t) {
    const float u = 1 - t;
    const float a = u * u, b = 2 * u * t, d = t * t;
    const float dx = a * (c.control_1.x - c.from.x) + b * (c.control_2.x - c.control_1.x) +
                     d * (c.to.x - c.control_2.x);
    const float dy = a * (c.control_1.y - c.from.y) + b * (c.control_2.y - c.control_1.y) +
                     d * (c.to.y - c.control_2.y);
    const float length = std::hypot(dx, dy);
    return length > 0 ? Point{dx / length, dy / length} : Point{1, 0};
}

float distance_to(const CurveMark& curve, Point p, float give_up) {
    if (is_beyond(curve, p, give_up)) return give_up;
    float nearest = give_up;
    Point from = curve.from;
    for (int k = 1; k <= kPieces; ++k) {
        const Point to = point_on(curve, static_cast<float>(k) / kPieces);
        nearest = std::min(nearest, distance_to_segment(from, to, p));
        from = to;
    }
    return nearest;
}

}  // namespace headlight
