// Any figure in the window, alive: pointing at it means pointing at the things that it shows.
//
// Goals: a view that is drawn needs no code of its own to be pointed at, on a slide, on a page and
// in the middle of the window. Not goals: editing by dragging (cell_pointer.h, graph_pointer.h).
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Draws the figure with its origin there. The thing that a target stands for is hovered under the
/// pointer and held by a click, with Shift beside what is held; a click on a head opens it. Scripts
/// find cells and heads: "B blocks.0.attn.heads.1.pattern", "head blocks.0.attn.heads.1".
void draw_alive(PanelContext& context, const Figure& figure, Point origin);
/// Draws it on a card at the cursor, which moves below it.
void draw_alive_on_card(PanelContext& context, const Figure& figure);
/// Makes the targets of a figure alive that has been drawn.
void point_at_targets(PanelContext& context, const Figure& figure, Point origin);

/// Hovers what is under the pointer, and holds it if it is clicked.
void hover_or_hold(PanelContext& context, const Pick& pick);

}  // namespace headlight
