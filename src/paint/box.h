// Points and boxes of the plane, in points; y points down.
#pragma once

#include <algorithm>

namespace headlight {

struct Point {
    float x = 0, y = 0;
};

struct Box {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    Point center() const { return {x + width / 2, y + height / 2}; }
    bool contains(Point p) const { return p.x >= x && p.y >= y && p.x < right() && p.y < bottom(); }
    bool is_empty() const { return !(width > 0) || !(height > 0); }
};

/// Returns the intersection; empty if the boxes do not meet.
inline Box common_part(const Box& a, const Box& b) {
    const float left = std::max(a.x, b.x), top = std::max(a.y, b.y);
    return {left, top, std::max(0.0f, std::min(a.right(), b.right()) - left),
            std::max(0.0f, std::min(a.bottom(), b.bottom()) - top)};
}

}  // namespace headlight
