// The hand on the large picture: what zooms it and moves it, with wheel, drags, buttons and keys.
#pragma once

#include "paint/figures/heatmap_figure.h"
#include "ui/panel.h"

namespace headlight {

/// The large picture of a tensor as it was drawn.
struct DrawnPicture {
    const Tensor& tensor;
    const CellPick& held;
    const HeatmapFigure& picture;
    Point origin;
};

class PictureHand {
  public:
    /// What the buttons at the upper right take.
    static float corner_width(const PictureView& view);

    /// Once a frame, after the picture was drawn. True while the pointer moves the picture and so
    /// points at no cell.
    bool hold(PanelContext& context, const DrawnPicture& drawn);

  private:
    enum class Drag { None, Picture, Overview };

    static void name_places(PanelContext& context, const DrawnPicture& drawn);
    static void draw_buttons(PanelContext& context, const DrawnPicture& drawn);
    static void draw_form(PanelContext& context, const DrawnPicture& drawn);
    static PictureView requested(PanelContext& context, const DrawnPicture& drawn,
                                 PictureView view);
    static PictureView turned(const DrawnPicture& drawn, const PictureView& view);
    void begin_drag(const DrawnPicture& drawn);
    PictureView dragged(const DrawnPicture& drawn, const PictureView& view) const;

    Drag drag_ = Drag::None;
    int button_ = 0;
};

}  // namespace headlight
