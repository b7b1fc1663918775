// The arguments of headlight run.
#pragma once

#include "cli/commands.h"
#include "cli/options/options.h"

namespace headlight {

/// `run` must live as long as the command.
void add_run_options(Options command, RunStudy& run);

}  // namespace headlight
