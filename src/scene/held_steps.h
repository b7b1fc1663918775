// How the held cell or rows move: with the arrow keys, by one more or one fewer row with Shift, and
// along to another matrix.
#pragma once

#include "scene/selection.h"

namespace headlight {

/// The movement that this frame's arrow keys ask for.
struct ArrowSteps {
    Index down = 0, right = 0;
    enum class Hold { Move, Extend } hold = Hold::Move;
};

/// Moves a held cell through its matrix, or a held word through its list. Extending adds or removes
/// rows.
void step_held(Selection& selection, const Trace& trace, ArrowSteps steps);

/// The held cell goes along to the chosen matrix, if that has the same rows and columns.
void carry_held_cell(Selection& selection, const Trace& trace);

/// Shows that matrix large and keeps the held cell in it. If the matrix has no such cell, nothing
/// is held.
void show_tensor(Selection& selection, const Trace& trace, const Components& components,
                 const std::string& path);

}  // namespace headlight
