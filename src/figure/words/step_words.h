// A step of the computation in words, for readers who see it for the first time.
//
// Goals: one place with a name and a sentence, in the field's terms, for every matrix of every
// mechanism. Not goals: numbers (arithmetic.h), the equation (the tensor's own).
#pragma once

#include <string>

#include "core/trace.h"

namespace headlight {

struct StepWords {
    std::string name;      // "Masked scores"
    std::string sentence;  // the effect of the step
};

/// Returns words of the tensor's place in the network where it has one, else of its operation.
StepWords step_words(const Trace& trace, const Tensor& tensor);

/// Writes the shapes of the inputs and that of the result: "12 × 8 · 8 × 12 → 12 × 12". A leaf has
/// only its own.
std::string step_shapes(const Trace& trace, const Tensor& tensor);

}  // namespace headlight
