// Find: everything in the window that has a name, here and now.
#pragma once

#include <vector>

#include "ui/dialogs/palette.h"

namespace headlight {

struct Desks;

/// Returns entries that act on these desks. An action throws Error if it fails.
std::vector<PaletteEntry> palette_entries(Desks& desks);

}  // namespace headlight
