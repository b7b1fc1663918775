// How pictures look, as options of a command.
#pragma once

#include "cli/options/options.h"
#include "paint/figure_look.h"

namespace headlight {

/// `look` must live as long as the command.
void add_look_options(Options& command, FigureLook& look);

}  // namespace headlight
