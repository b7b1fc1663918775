// The large picture of the window as a figure of its own, for export.
#pragma once

#include "ui/scene.h"

namespace headlight {

/// The head view while it is open; the pictures of two that are compared. Else the chosen tensor's
/// labelled matrix; for a pattern of a graph, the graph, of an image, the image. With the
/// selection.
Figure chosen_figure(const Scene& scene, const MeasureText& measure);

}  // namespace headlight
