// The arguments of headlight logits and headlight sweep.
#pragma once

#include "cli/options/options.h"
#include "cli/readout_command.h"

namespace headlight {

inline constexpr const char* kLogitsCommand =
    "Print the likeliest words, and where logits come from";
void add_logits_options(Options command, PrintLogits& logits);

inline constexpr const char* kSweepCommand = "Replace each head's output in turn, print the change";
void add_sweep_options(Options command, SweepStudy& sweep);

}  // namespace headlight
