// Find: everything in the window that has a name, here and now.
#pragma once

#include <vector>

#include "ui/dialogs/palette.h"

namespace headlight {

struct WorkbenchState;

/// Returns entries that act on these bench. An action throws Error if it fails.
std::vector<PaletteEntry> palette_entries(WorkbenchState& bench);

}  // namespace headlight
