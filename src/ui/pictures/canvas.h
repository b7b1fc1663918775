// Any figure in the window, alive: the pointer means what the place under it stands for.
//
// Goals: a view that is drawn needs no code of its own to be pointed at, on a slide, on a page and
// in the middle of the window. Not goals: editing by dragging (cell_pointer.h, graph_pointer.h).
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Draws the figure with its origin there. What its targets stand for is hovered under the pointer
/// and held by a click, with Shift beside what is held; a click on a head opens it. Cells and heads
/// are found by scripts: "B blocks.0.attn.heads.1.pattern", "head blocks.0.attn.heads.1".
void draw_alive(PanelContext& context, const Figure& figure, Point origin);
/// The same of a figure that has been drawn.
void point_at_targets(PanelContext& context, const Figure& figure, Point origin);

}  // namespace headlight
