// Curves as a figure of their own.
#pragma once

#include "paint/figure_look.h"
#include "paint/plots/curves_figure.h"

namespace headlight {

/// In the room of the look; its own width and height do not count.
Figure plot_figure(CurvesInput curves, const Theme& theme, const FigureLook& look,
                   const MeasureText& measure);

}  // namespace headlight
