// The pointer over the cells of a picture: hover, hold with a click, change with a drag.
#pragma once

#include "ui/panel.h"

namespace headlight {

class CellPointer {
  public:
    /// For each picture of a tensor that was drawn with its figure's origin at `origin`.
    void point(PanelContext& context, const Tensor& tensor, const CellGrid& grid, Point origin);

  private:
    struct Press {
        PointedCell cell;
        Scalar start = 0;
        float start_y = 0;
        bool is_drag = false;
    };

    void press(PanelContext& context, const PointedCell& cell);
    void drag(PanelContext& context, const Tensor& tensor);
    void release(PanelContext& context, const Tensor& tensor);

    std::optional<Press> press_;
};

/// The labels at the left of the cells stand for their rows: hovered, and held by a click.
void point_at_row_label(PanelContext& context, const Tensor& tensor, const CellGrid& grid,
                        Point origin);

}  // namespace headlight
