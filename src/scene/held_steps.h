// How what is held moves: with the arrow keys, one more row or one less with Shift, and along to
// another matrix.
#pragma once

#include "scene/selection.h"

namespace headlight {

/// Where the arrow keys of this frame lead.
struct ArrowSteps {
    Index down = 0, right = 0;
    enum class Hold { Move, Extend } hold = Hold::Move;
};

/// A held cell steps through its matrix, a held word through its list; extended, what is held
/// grows along the rows.
void step_held(Selection& selection, const Trace& trace, ArrowSteps steps);

/// The held cell goes along to the chosen matrix, if that has the same rows and columns.
void carry_held_cell(Selection& selection, const Trace& trace);

/// That matrix large, with the held cell in it; where it has no such cell, nothing is held.
void show_tensor(Selection& selection, const Trace& trace, const Components& components,
                 const std::string& path);

}  // namespace headlight
