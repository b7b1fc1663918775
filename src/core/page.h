// Page: one of the sentences that are stacked in a trace.
#pragma once

#include "core/trace.h"

namespace headlight {

/// How many sentences are stacked; 1 where none are.
Index count_pages(const Plan& plan);

/// The plan as if only that sentence existed: the sentence's rows of every stacked tensor, with the
/// settings and lists of names that belong to them. PlannedTensor::first_row is the row of the
/// document that is row 0 of the page. The plan itself if nothing is stacked. Throws Error if there
/// is no such sentence.
std::shared_ptr<const Plan> page_plan(const std::shared_ptr<const Plan>& plan, Index sentence);

/// The sentence's values and interventions. `plan` must be page_plan() of the trace's plan.
Trace page(const Trace& trace, std::shared_ptr<const Plan> plan);
Trace page(const Trace& trace, Index sentence);

}  // namespace headlight
