// The large picture of the window as a figure of its own, for export.
#pragma once

#include "ui/scene.h"

namespace headlight {

/// The chosen tensor's labelled matrix; for a pattern of a graph, the graph, of an image, the
/// image. The head view while it is open. With the selection.
Figure chosen_figure(const Scene& scene, const MeasureText& measure);

}  // namespace headlight
