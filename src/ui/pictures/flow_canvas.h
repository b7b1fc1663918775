// The cards of the flow and the large picture, drawn and alive under the pointer.
#pragma once

#include "figure/flow_figure.h"
#include "figure/heatmap_figure.h"
#include "ui/panel.h"
#include "ui/pictures/cell_pointer.h"
#include "views/prediction.h"

namespace headlight {

/// The large picture of a tensor as it was drawn.
struct DrawnPicture {
    const Tensor& tensor;
    const CellPick& held;
    const HeatmapFigure& picture;
    Point origin;
};

class PanZoom {
  public:
    /// Returns the width of the buttons at the upper right.
    static float corner_width(const PictureView& view);

    /// Draws the buttons of a picture that is not moved, of some rows or sorted. A click at its
    /// legend opens the form of its colours.
    void offer(PanelContext& context, const DrawnPicture& drawn);
    /// Called once a frame, after the picture was drawn. True while the pointer moves the picture
    /// and so points at no cell.
    bool hold(PanelContext& context, const DrawnPicture& drawn);

  private:
    enum class Drag { None, Picture, Overview };

    static void name_places(PanelContext& context, const DrawnPicture& drawn);
    static void draw_buttons(PanelContext& context, const DrawnPicture& drawn);
    static PictureView requested(PanelContext& context, const DrawnPicture& drawn,
                                 PictureView view);
    static PictureView turned(const DrawnPicture& drawn, const PictureView& view);
    void begin_drag(const DrawnPicture& drawn);
    PictureView dragged(const DrawnPicture& drawn, const PictureView& view) const;

    Drag drag_ = Drag::None;
    int button_ = 0;
};

class FlowCanvas {
  public:
    /// Draws the cards into the current window from its cursor on, `size` large. The box for the
    /// large picture is in `main` of the result, counted from `origin`. A covered matrix has no
    /// card.
    struct Drawn {
        FlowFigure flow;
        Point origin;
    };
    Drawn draw_cards(PanelContext& context, FlowArrangement arrangement, Point size,
                     const Prediction* prediction = nullptr);

    /// Draws the cards in a row at the bottom, where there is room for them; else those of the
    /// head, or none. Returns the place that is left.
    struct PicturePlace {
        Box box;
        Point origin;
    };
    PicturePlace draw_cards_below(PanelContext& context, Point size);

    /// Draws the cards in a row in what is left of the current window, and above them the chosen
    /// tensor beside a picture of the study, which gets that share of the width; all of it without
    /// the chosen tensor. Returns the place for the picture, counted from `origin`.
    PicturePlace draw_beside_picture(PanelContext& context, bool is_picture_alone, float share);

    /// Draws the labelled picture of the chosen tensor inside `box`.
    void draw_chosen(PanelContext& context, Box box, Point origin);

  private:
    static FlowFigure lay_out_cards(const PanelContext& context, FlowInput input);
    Drawn draw_flow(PanelContext& context, FlowFigure flow);

    CellPointer cards_, large_;
    PanZoom hand_;
};

}  // namespace headlight
