// What a sweep has found, as a matrix of layers × heads, or × attention and MLP.
#pragma once

#include <string>

#include "model/sweep/sweep.h"
#include "paint/figure_look.h"
#include "paint/figures/heatmap_layout.h"

namespace headlight {

/// `asked`: the question ("␣Mary − ␣John after ␣to"), of a divergence its place alone (" after
/// ␣to"); `sentence`: what was replaced by what.
struct SweepWords {
    std::string asked, sentence;
};
HeatmapInput sweep_heatmap(const SweepResult& result, const SweepSettings& settings,
                           const SweepWords& words, const Theme& theme);

/// A picture of its own, in the room of the look.
Figure sweep_figure(HeatmapInput input, const Theme& theme, const FigureLook& look,
                    const MeasureText& measure);

}  // namespace headlight
