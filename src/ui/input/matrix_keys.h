// What the keyboard does to go from cell to cell, from matrix to matrix, from head to head, from
// part to part.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Arrow keys step what is held; Ctrl with them, or with Page up and Page down, what is shown. Once
/// a frame, where no popup has the keyboard.
void press_matrix_keys(PanelContext& context);

}  // namespace headlight
