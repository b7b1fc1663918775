// The cards of the flow and the large picture, drawn and alive under the pointer.
#pragma once

#include "paint/figures/flow_figure.h"
#include "scene/prediction.h"
#include "ui/pictures/cell_pointer.h"
#include "ui/pictures/picture_hand.h"

namespace headlight {

class FlowCanvas {
  public:
    /// Draws the cards into the current window from its cursor on, `size` large. The box for the
    /// large picture is in `main` of the result, counted from `origin`. What is covered has none.
    struct Drawn {
        FlowFigure flow;
        Point origin;
    };
    Drawn draw_cards(PanelContext& context, FlowArrangement arrangement, Point size,
                     const Prediction* prediction = nullptr);

    /// The cards in a row at the bottom, where there is room for them; else those of the head, or
    /// none. Returns what is left.
    struct PicturePlace {
        Box box;
        Point origin;
    };
    PicturePlace draw_cards_below(PanelContext& context, Point size);

    /// The cards in a row in what is left of the current window, and above them the chosen tensor
    /// beside a picture of the study, which gets that share of the width; all of it without the
    /// chosen tensor. Returns the place for the picture, counted from `origin`.
    PicturePlace draw_beside_picture(PanelContext& context, bool is_picture_alone, float share);

    /// The labelled picture of the chosen tensor inside `box`.
    void draw_chosen(PanelContext& context, Box box, Point origin);

  private:
    static FlowFigure lay_out_cards(const PanelContext& context, FlowArrangement arrangement,
                                    Point size, const std::vector<TensorId>& shown);
    Drawn draw_flow(PanelContext& context, FlowFigure flow);

    CellPointer cards_, large_;
    PictureHand hand_;
};

}  // namespace headlight
