// The cards of the flow and the large picture, drawn and alive under the pointer.
#pragma once

#include "paint/flow_figure.h"
#include "ui/cell_pointer.h"

namespace headlight {

class FlowCanvas {
  public:
    /// Draws the cards into the current window from its cursor on, `size` large. The box for the
    /// large picture is in `main` of the result, counted from `origin`.
    struct Drawn {
        FlowFigure flow;
        Point origin;
    };
    Drawn draw_cards(PanelContext& context, FlowArrangement arrangement, Point size);

    /// The labelled picture of the chosen tensor inside `box`.
    void draw_chosen(PanelContext& context, Box box, Point origin);

  private:
    CellPointer cards_, large_;
};

}  // namespace headlight
