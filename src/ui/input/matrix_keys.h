// The keys that go from cell to cell, from matrix to matrix, from head to head, from component to
// component.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Arrow keys move what is held; with Ctrl, and with Page up and Page down, they change what is
/// shown. Called once a frame while no popup has the keyboard.
void press_matrix_keys(PanelContext& context);

}  // namespace headlight
