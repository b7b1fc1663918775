// A batch: the sentences that are stacked in a trace, and the trace of one of them.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// Returns the number of stacked sentences; 1 where none are.
Index count_sentences(const Plan& plan);

/// Returns the plan as if only that sentence existed: the sentence's rows of every stacked tensor,
/// with the settings and lists of names that belong to them. PlannedTensor::first_row is the row of
/// the document that is row 0 of the sentence. Returns the plan itself if nothing is stacked.
/// Throws Error if there is no such sentence.
std::shared_ptr<const Plan> plan_of_sentence(const std::shared_ptr<const Plan>& plan,
                                             Index sentence);

/// Returns the sentence's values and interventions. `plan` must be plan_of_sentence() of the
/// trace's plan.
Trace trace_of_sentence(const Trace& trace, std::shared_ptr<const Plan> plan);
Trace trace_of_sentence(const Trace& trace, Index sentence);

/// Returns the number of words before the padding that fills up a shorter sentence; all if every
/// one is padding.
Index count_before_padding(const std::vector<std::string>& words);

/// Returns the last index that is not padding; the last one if the axis has no such index.
Index last_word(const Plan& plan, const Axis& axis);

}  // namespace headlight
