// What a component's output is replaced by in a sweep, as an intervention.
#pragma once

#include "model/sweep/sweep.h"

namespace headlight {

/// Of one draw. Throws Error if there is no trace to patch from, or one has other shapes.
Intervention replacement_for(const Trace& base, TensorId id, const Sweep& sweep, int draw);

/// The same for one row alone; the others stay as they are in the trace.
Intervention on_one_row(const Intervention& of_all, const Trace& base, TensorId id, Index row);

}  // namespace headlight
