// headlight test: weights, measured on what was never trained.
#pragma once

#include "cli/commands.h"

namespace headlight {

/// Prints how many of the held-out targets are right, and their mean loss.
struct TestWeights {
    std::string what;                  // weights that name their recipe, or a task: its own
    std::vector<std::string> without;  // globs of computed matrices that are zero meanwhile
    bool each_head = false;            // also without each head alone, one line a head
};
void test_weights(const TestWeights& options, const Streams& streams);

}  // namespace headlight
