// The input of the image's picture, from the study and the selection.
#pragma once

#include "paint/figures/image_figure.h"
#include "scene/scene.h"

namespace headlight {

/// The image is shaded by the chosen head's pattern; any other chosen tensor stands beside it.
bool shows_image_alone(const Trace& trace, const Selection& selection);

/// The size is the caller's.
ImageInput image_input(const Scene& scene);

}  // namespace headlight
