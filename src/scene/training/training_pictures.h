// What a training run looks like: its curves, and its heads over time.
#pragma once

#include <span>

#include "paint/plots/curves_figure.h"
#include "scene/training/training_view.h"

namespace headlight {

/// Accuracy and loss, of the batches and on what was held out, and the accuracy of earlier runs.
/// The legend has the values at the shown step.
CurvesInput training_curves(const TrainingSnapshot& snapshot, long shown_step, const Theme& theme,
                            std::span<const EarlierRun> earlier = {});

/// One curve a head, in its colour.
CurvesInput head_curves(const HeadHistories& histories, const TrainingSnapshot& snapshot,
                        long shown_step, const Theme& theme);

}  // namespace headlight
