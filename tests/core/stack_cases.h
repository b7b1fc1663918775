// The table of stacks that every law of sentences is tested with: each choice of every setting.
#pragma once

#include <string>
#include <vector>

#include "core/mechanisms/transformer.h"
#include "core/trace.h"

namespace headlight {

struct StackCase {
    std::string name;
    StackSettings settings;
};

/// Two small layers without positions or any other optional part.
StackSettings plain_stack();

/// plain_stack() with each value of each setting at least once.
std::vector<StackCase> stack_cases();

/// A trace with everything kept; each line is a sentence.
Trace sentences(std::string_view lines, const StackSettings& settings,
                const Interventions& interventions = {});

/// The last tensor of the residual stream, which the unembedding or the decoder reads.
std::string last_path(const Trace& trace, const StackSettings& settings);

}  // namespace headlight
