// What `headlight export` writes, as options of the command.
#pragma once

#include "cli/command.h"
#include "cli/commands.h"

namespace headlight {

/// But for how pictures look. `options` must live as long as the command.
void add_export_options(Command& command, ExportStudy& options);

}  // namespace headlight
