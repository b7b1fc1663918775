// The pointer over the cells of a picture: hover, hold with a click, change with a drag, choose a
// block with Ctrl, paint a mask.
#pragma once

#include "ui/panel.h"
#include "views/cell_edits.h"

namespace headlight {

class CellPointer {
  public:
    /// Called for each picture of a tensor that was drawn with its figure's origin at `origin`.
    void point(PanelContext& context, const Tensor& tensor, const CellGrid& grid, Point origin);

    /// The row and column names around the cells of the large picture: Ctrl and a press take the
    /// whole row or column; of a mask they open or close it.
    void point_names(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                     Point origin);

  private:
    enum class Gesture { Value, Block, Mask };
    struct Press {
        CellPlace cell = {};
        Gesture gesture = Gesture::Value;
        Scalar start = 0;
        float start_y = 0;
        bool is_drag = false;
        CellIndex last = {};  // the last cell that the stroke or block reached
        MaskStroke stroke = {};
    };

    void press(PanelContext& context, const Tensor& tensor, const CellPlace& cell);
    void drag(PanelContext& context, const Tensor& tensor, const CellGrid& placed);
    void drag_value(PanelContext& context, const Tensor& tensor);
    void begin_stroke(PanelContext& context, const Tensor& tensor);
    void drag_over(PanelContext& context, const Tensor& tensor, CellIndex to);
    void release(PanelContext& context, const Tensor& tensor);

    std::optional<Press> press_;
};

/// Makes the labels around the cells stand for their words or nodes: hovered, and held by a click.
void point_at_labels(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                     Point origin);

}  // namespace headlight
