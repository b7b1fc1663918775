// The settings of pictures: colours, scale, range, numbers. A form in the current window.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// Those of all matrices that hold the same kind of quantity as `tensor`.
void draw_picture_form(PanelContext& context, const Tensor& tensor);

}  // namespace headlight
