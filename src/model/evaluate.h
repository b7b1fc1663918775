// Leads from the question to the answer: Document → Plan → Trace.
#pragma once

#include "core/compute.h"
#include "model/document.h"

namespace headlight {

/// Returns the plan of the study. Throws Error if there is nothing to attend to (no word, no node)
/// or a setting is out of range.
std::shared_ptr<const Plan> plan(const Document& document);

/// True if the two have the same plan: they are equal or differ only in cells set by hand.
bool have_same_plan(const Document& a, const Document& b);

/// Returns the document's interventions as the tensors of its plan receive them. Those on the
/// stacked steps of a recurrent study are passed on to each step, ablations to the probe.
Interventions interventions_in(const Document& document, const Plan& plan);

/// Evaluates the document. Everything that has not changed is shared with `previous` (null if there
/// is none).
Trace evaluate(const Document& document, const Trace* previous, const Watched& watched,
               const ForEach& for_each = serial());

}  // namespace headlight
