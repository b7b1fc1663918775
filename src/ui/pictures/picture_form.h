// The settings of pictures: colours, scale, range, numbers. A form in the current window.
#pragma once

#include "ui/panel.h"
#include "views/view_figure.h"

namespace headlight {

/// Draws the settings of all matrices that hold the same kind of quantity as `tensor`.
void draw_picture_form(PanelContext& context, const Tensor& tensor);

/// Draws only the colour map of the matrices that a figure shows; nothing where it shows none, or
/// their colours are not free.
void draw_colors_field(PanelContext& context, ViewId view);

}  // namespace headlight
