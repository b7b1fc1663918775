// What `headlight export` writes, as options of the command.
#pragma once

#include "cli/commands.h"
#include "cli/options/options.h"

namespace headlight {

/// But for how pictures look. `options` must live as long as the command.
void add_export_options(Options& command, ExportStudy& options);

}  // namespace headlight
