// A sweep that was done: its order, the study and question that it was made for, its result, and
// that as a matrix of layers × heads, or × attention and MLP.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "figure/figure_look.h"
#include "figure/heatmap_layout.h"
#include "model/sweep/sweep.h"

namespace headlight {

struct SweepJob {
    SweepSettings settings = {};
    LogitQuestion question = {};
    std::string asked = {};  // "␣Mary − ␣John after ␣to", for pictures
    std::shared_ptr<const Document> document = {};
    std::shared_ptr<const Trace> base = {};  // of the document
    std::shared_ptr<const Trace> from = {};  // of SweepKind::Patch
    /// The text of `from`, where that is the same study with another text.
    std::optional<std::string> from_text = {};
};

struct FinishedSweep {
    SweepJob order;
    std::string sentence;  // says what was replaced by what
    SweepResult result;
};

/// "Change of the logit: ␣Mary − ␣John after ␣to"
std::string sweep_title(const FinishedSweep& sweep);

HeatmapInput sweep_heatmap(const FinishedSweep& sweep, const Theme& theme);

/// Returns the height in which every row reads well, in that width.
float sweep_height(const HeatmapInput& input, float width);

/// Draws the sweep as a picture of its own, in the room of the look.
Figure sweep_figure(HeatmapInput input, const Theme& theme, const FigureLook& look,
                    const MeasureText& measure);

}  // namespace headlight
