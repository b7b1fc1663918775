// Find: everything in the window that has a name, here and now.
#pragma once

#include <vector>

#include "ui/dialogs/palette.h"

namespace headlight {

struct Desks;

/// What is done with them is for the same desks. Doing it throws Error if it fails.
std::vector<PaletteEntry> palette_entries(Desks& desks);

}  // namespace headlight
