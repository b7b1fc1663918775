// The arguments of headlight compare.
#pragma once

#include "cli/commands.h"
#include "cli/options/options.h"

namespace headlight {

/// `compare` must live as long as the command.
void add_compare_options(Options& command, CompareTensors& compare);

}  // namespace headlight
