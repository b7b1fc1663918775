// Walk: the way through the computation, one matrix after another, as a lecture goes it.
//
// Goals: where the walk stands is the selection (its part, head and chosen tensor) and nothing
// else, so that a click is a way to go there, too. Not goals: drawing, keys.
#pragma once

#include "scene/selection.h"

namespace headlight {

struct Walk {
    std::vector<TensorId> steps;  // of the open part, in the order of computation; never empty
    std::size_t at = 0;  // the chosen step; where a weight is chosen, the first step after it
    std::size_t component = 0;                // the open one among all parts
    std::size_t place = 0, n_components = 0;  // and, from 1, among those that are walked through
};

/// What is computed in the open part, for the selected head. What is learned is no step of its own:
/// it is seen where it is used.
Walk walk_of(const Trace& trace, const Components& components, const Selection& selection);

enum class WalkMove {
    Next,
    Back,
    First,
    Last,
    NextComponent,
    ComponentBefore,
    NextHead,
    HeadBefore
};

/// Moves the selection. Past the last step of a part is the first one of the next, and the other
/// way round; single steps of a recurrence or of decoding are only walked into by those who are in
/// one already. Returns false, and changes nothing, where the way ends.
bool move(const Trace& trace, const Components& components, Selection& selection, WalkMove how);

/// Goes to the step of that number, counted from 0, of the open part; the last one if there are
/// fewer.
void go_to_step(const Trace& trace, const Components& components, Selection& selection,
                std::size_t step);

}  // namespace headlight
