// The network's components in a row of buttons that lead to them. Groups are folded, except the
// open one.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Draws into the current window, `width` wide; returns how high it is. Steps of one kind are one
/// entry with a number.
float draw_component_strip(PanelContext& context, float width);

}  // namespace headlight
