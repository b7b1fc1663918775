// Where the weights of a study come from, if from a file, and which of its words they do not know.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Nothing where all weights are drawn from the seed.
void draw_weights(PanelContext& context);

}  // namespace headlight
