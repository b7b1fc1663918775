// The keys that act on the held cell.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Ctrl+Shift+arrows grow or shrink the block around the held cell, Ctrl+A takes the whole matrix;
/// Alt+↑ ↓ step the held cells, the wheel with Alt those under the pointer; a digit, a point or a
/// minus begins to type. Once a frame, where no text field or popup has the keyboard.
void press_cell_keys(PanelContext& context);

}  // namespace headlight
