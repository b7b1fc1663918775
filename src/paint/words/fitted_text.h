// One line of text in a given width: smaller before it is shortened.
#pragma once

#include "paint/figure.h"

namespace headlight {

/// Down to three quarters of its size; what is wider even then is shortened.
void fit(TextMark& mark, float max_width, const MeasureText& measure);

}  // namespace headlight
