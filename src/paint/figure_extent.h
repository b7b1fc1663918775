// How far the marks of a figure reach.
#pragma once

#include "paint/figure.h"

namespace headlight {

/// The corner right of and below every mark.
Point far_corner(const Figure& figure, const MeasureText& measure);

/// Removes the empty space at the right and at the bottom, except for `margin`. Never adds any.
void trim(Figure& figure, float margin, const MeasureText& measure);

}  // namespace headlight
