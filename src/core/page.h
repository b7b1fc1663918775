// One of the sentences that are stacked in a trace.
#pragma once

#include "core/trace.h"

namespace headlight {

/// How many sentences are stacked; 1 where none are.
Index count_pages(const Plan& plan);

/// The plan as if only that sentence existed: of every stacked tensor its rows, with what belongs
/// to them (settings, the lists of names). PlannedTensor::first_row says which row of the document
/// row 0 of the page is. The plan itself where nothing is stacked. Throws Error if there is no such
/// sentence.
std::shared_ptr<const Plan> page_plan(const std::shared_ptr<const Plan>& plan, Index sentence);

/// Its values, and what is set by hand in it. `plan` is page_plan's, of the trace's plan.
Trace page(const Trace& trace, std::shared_ptr<const Plan> plan);
Trace page(const Trace& trace, Index sentence);

}  // namespace headlight
