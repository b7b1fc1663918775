// The arguments of headlight logits, headlight sweep and headlight heads.
#pragma once

#include "cli/heads_command.h"
#include "cli/options/options.h"
#include "cli/readout_command.h"

namespace headlight {

inline constexpr const char* kLogitsCommand =
    "Print the likeliest words, and where logits come from";
void add_logits_options(Options command, PrintLogits& logits);

inline constexpr const char* kSweepCommand = "Replace each head's output in turn, print the change";
void add_sweep_options(Options command, SweepStudy& sweep);

inline constexpr const char* kHeadsCommand = "Count what every head does over the texts of a file";
void add_heads_options(Options command, TallyHeads& heads);

}  // namespace headlight
