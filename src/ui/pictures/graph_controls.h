// The row of controls above a graph: the tool, the edges that are shown, the colours of the nodes.
#pragma once

#include "ui/panel.h"

namespace headlight {

void draw_graph_controls(PanelContext& context);

}  // namespace headlight
