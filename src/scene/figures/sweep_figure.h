// The result of a sweep, as a matrix of layers × heads, or × attention and MLP.
#pragma once

#include <string>

#include "paint/figure_look.h"
#include "paint/figures/heatmap_layout.h"
#include "scene/readout/done_sweep.h"

namespace headlight {

/// "Change of the logit: ␣Mary − ␣John after ␣to"
std::string sweep_title(const DoneSweep& sweep);

HeatmapInput sweep_heatmap(const DoneSweep& sweep, const Theme& theme);

/// Returns the height in which every row reads well, in that width.
float sweep_height(const HeatmapInput& input, float width);

/// Draws the sweep as a picture of its own, in the room of the look.
Figure sweep_figure(HeatmapInput input, const Theme& theme, const FigureLook& look,
                    const MeasureText& measure);

}  // namespace headlight
