// Walk: the way through the computation, one matrix after another, as a lecture goes it.
//
// Goals: the position of the walk is the selection (its part, head and chosen tensor) and nothing
// else, so that a click is a way to go there, too. Not goals: drawing, keys.
#pragma once

#include "views/selection.h"

namespace headlight {

struct Walk {
    std::vector<TensorId> steps;  // of the open component, in the order of computation; never empty
    std::size_t at = 0;  // the chosen step; where a weight is chosen, the first step after it
    std::size_t component = 0;                // index of the open component
    std::size_t place = 0, n_components = 0;  // from 1, among those that are walked through
};

/// Lists the computed tensors of the open component, for the selected head. Learned tensors are not
/// steps of their own: they are shown where they are used.
Walk make_walk(const Trace& trace, const Components& components, const Selection& selection);

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

/// Moves the selection. The last step of a component is followed by the first of the next, and the
/// other way round. Single steps of a recurrence or of decoding are entered only from another
/// single step. Returns false and changes nothing at either end.
bool move(const Trace& trace, const Components& components, Selection& selection, WalkMove how);

/// Goes to the step of that number, counted from 0, of the open part; the last one if there are
/// fewer.
void go_to_step(const Trace& trace, const Components& components, Selection& selection,
                std::size_t step);

}  // namespace headlight
