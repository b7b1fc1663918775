// The origin of a study's weights if they come from a file, the words that they know, and the
// study's words that they do not know.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Draws nothing where all weights are drawn from the seed.
void draw_weights(PanelContext& context);

}  // namespace headlight
