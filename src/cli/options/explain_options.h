// The arguments of headlight explain.
#pragma once

#include "cli/commands.h"
#include "cli/options/options.h"

namespace headlight {

/// `explain` and `json` must live as long as the command.
void add_explain_options(Options& command, ExplainCell& explain, bool& json);

}  // namespace headlight
