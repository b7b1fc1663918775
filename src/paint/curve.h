// Geometry of the curves that pictures share.
#pragma once

#include <optional>

#include "paint/figure.h"

namespace headlight {

Point point_on(const CurveMark& curve, float t);

/// Returns the direction of the curve at t, as a vector of length 1; (1, 0) on a curve of length 0.
Point direction_on(const CurveMark& curve, float t);

/// Returns the part from the point where the curve first meets the box to the point where it last
/// leaves it; nothing if it does not meet the box.
std::optional<CurveMark> part_inside(const CurveMark& curve, const Box& box);

/// Returns the distance from p to the curve, exact to a fraction of a point. At least `give_up` is
/// returned as soon as the distance cannot be smaller.
float distance_to(const CurveMark& curve, Point p, float give_up);

}  // namespace headlight
