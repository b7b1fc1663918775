// The arguments of headlight logits, sweep, composition and heads.
#pragma once

#include <functional>

#include "cli/composition_command.h"
#include "cli/heads/heads_command.h"
#include "cli/options/options.h"
#include "cli/readout_command.h"

namespace headlight {

struct HeadCommands {
    PrintLogits logits;
    SweepStudy sweep;
    PrintComposition composition;
    TallyHeads heads;
};

/// Makes a command of that name, with a sentence about it.
using AddCommand = std::function<Options(const char*, const char*, std::function<void()>)>;

/// The commands that say what heads do. They read `commands` and the streams when they run.
void add_head_commands(const AddCommand& add, HeadCommands& commands, const Streams& streams);

}  // namespace headlight
