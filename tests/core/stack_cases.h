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

/// Two small layers without positions or anything else that can be left out.
StackSettings plain_stack();

/// Each value of each setting at least once, on plain_stack().
std::vector<StackCase> stack_cases();

/// Everything computed from nothing; a line is a sentence.
Trace sentences(std::string_view lines, const StackSettings& settings,
                const Interventions& interventions = {});

/// The last tensor of the layers' residual stream: what the unembedding or the reader gets.
std::string last_path(const Trace& trace, const StackSettings& settings);

}  // namespace headlight
