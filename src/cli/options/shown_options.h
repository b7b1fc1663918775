// What a view shows of a study, and how, as options of a command.
#pragma once

#include "cli/options/options.h"
#include "cli/shown.h"

namespace headlight {

/// `options` must live as long as the command.
void add_shown_options(Options& command, ShownOptions& options);

}  // namespace headlight
