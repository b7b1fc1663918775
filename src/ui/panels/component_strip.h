// The parts of the network in a row, as a way to each: folded, but for the one that is open.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Draws into the current window, `width` wide; returns how high it is. Steps of one kind are one
/// entry with a number.
float draw_component_strip(PanelContext& context, float width);

}  // namespace headlight
