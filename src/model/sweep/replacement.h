// What a component's output is replaced by in a sweep, as an intervention.
#pragma once

#include "model/sweep/sweep.h"

namespace headlight {

/// Of one draw. Throws Error if there is no trace to patch from, or one has other shapes.
Intervention replacement_for(const Trace& base, TensorId id, const Sweep& sweep, int draw);

}  // namespace headlight
