// The arguments of headlight import.
#pragma once

#include "cli/commands.h"
#include "cli/options/options.h"

namespace headlight {

void add_import_options(Options& command, ImportMatrices& import);

}  // namespace headlight
