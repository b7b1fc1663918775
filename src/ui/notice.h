// A box over the window that says something until it is answered.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Begins it, with its text and room at the right for buttons of that width together, on the line
/// at which it leaves the cursor. At the top of `box`.
void begin_notice(PanelContext& context, const std::string& text, Box box, float buttons_width);
void end_notice();

}  // namespace headlight
