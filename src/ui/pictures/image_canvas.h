// The image and the patches that its chosen patch reads, drawn and alive under the pointer.
#pragma once

#include "ui/panel.h"
#include "views/image_view.h"
#include "views/prediction.h"

namespace headlight {

/// Draws into the current window: a card in `box`, counted from `origin`. Where the pattern is
/// covered, a click on the attention is a guess of the held patch.
void draw_image_canvas(PanelContext& context, Box box, Point origin,
                       Prediction* prediction = nullptr, ImageTitle title = ImageTitle::WithClass);

/// Draws only the image, as wide as there is room; pointing at a patch is pointing at it
/// everywhere.
void place_small_image(PanelContext& context);

}  // namespace headlight
