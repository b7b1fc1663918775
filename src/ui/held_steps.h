// Keys that move what is held: arrows step, Shift with an arrow holds one more row or one less.
#pragma once

#include "ui/selection.h"

namespace headlight {

/// Where the arrow keys of this frame lead.
struct ArrowSteps {
    Index down = 0, right = 0;
    enum class Hold { Move, Extend } hold = Hold::Move;
};

/// A held cell steps through its matrix, a held word through its list; extended, what is held
/// grows along the rows.
void step_held(Selection& selection, const Trace& trace, ArrowSteps steps);

}  // namespace headlight
