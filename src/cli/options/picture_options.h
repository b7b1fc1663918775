// How matrices are coloured and which part of one is seen, as options of a command.
#pragma once

#include "cli/options/shown_options.h"

namespace headlight {

/// `options` must live as long as the command.
void add_picture_options(Options& command, ShownOptions& options);

}  // namespace headlight
