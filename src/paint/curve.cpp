// Geometry of the curves that pictures share.
#include "paint/curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// True if p lies too far from the curve, which lies within the box around its four points.
bool is_beyond(const CurveMark& c, Point p, float distance) {
    const auto [left, right] = std::minmax({c.from.x, c.control_1.x, c.control_2.x, c.to.x});
    const auto [top, bottom] = std::minmax({c.from.y, c.control_1.y, c.control_2.y, c.to.y});
    return p.x < left - distance || p.x > right + distance || p.y < top - distance ||
           p.y > bottom + distance;
}

/// Returns both halves of a curve, cut at t.
std::pair<CurveMark, CurveMark> cut(const CurveMark& c, float t) {
    const auto between = [t](Point a, Point b) {
        return Point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    };
    const Point a = between(c.from, c.control_1), b = between(c.control_1, c.control_2),
                d = between(c.control_2, c.to);
    const Point ab = between(a, b), bd = between(b, d), middle = between(ab, bd);
    return {{c.from, a, ab, middle, c.color, c.width}, {middle, bd, d, c.to, c.color, c.width}};
}

Box box_around(const CurveMark& c) {
    const auto [left, right] = std::minmax({c.from.x, c.control_1.x, c.control_2.x, c.to.x});
    const auto [top, bottom] = std::minmax({c.from.y, c.control_1.y, c.control_2.y, c.to.y});
    return {left, top, right - left, bottom - top};
}

bool is_apart(const Box& a, const Box& b) {
    return a.right() < b.x || b.right() < a.x || a.bottom() < b.y || b.bottom() < a.y;
}

/// Returns the first t at which the curve is in the box, to a small fraction of its length.
std::optional<float> first_inside(const CurveMark& curve, const Box& box, int n_cuts) {
    if (is_apart(box_around(curve), box)) return std::nullopt;
    if (n_cuts == 0 || box.contains(curve.from)) return 0.0f;
    const auto [first, second] = cut(curve, 0.5f);
    if (const auto t = first_inside(first, box, n_cuts - 1)) return *t / 2;
    const auto t = first_inside(second, box, n_cuts - 1);
    return t ? std::optional(0.5f + *t / 2) : std::nullopt;
}

}  // namespace

std::optional<CurveMark> part_inside(const CurveMark& curve, const Box& box) {
    constexpr int kCuts = 12;
    const Box around = box_around(curve);
    if (is_apart(around, box)) return std::nullopt;
    if (box.contains({around.x, around.y}) && box.contains({around.right(), around.bottom()}))
        return curve;
    const auto begin = first_inside(curve, box, kCuts);
    if (!begin) return std::nullopt;
    const CurveMark rest = *begin > 0 ? cut(curve, *begin).second : curve;
    const CurveMark back{rest.to, rest.control_2, rest.control_1, rest.from, {}, 1};
    const float end = first_inside(back, box, kCuts).value_or(0);
    return end > 0 ? cut(rest, 1 - end).first : rest;
}

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
