// The figure of an export as it will be, on its paper.
#pragma once

#include "scene/figures/view_figure.h"
#include "ui/panel.h"

namespace headlight {

/// The figure as large as `size` allows, and under it its size in millimetres and pixels.
void draw_export_preview(PanelContext& context, const ViewFigure& view, const FigureSheet& sheet,
                         Point size);

}  // namespace headlight
