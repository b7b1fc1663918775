// Curves of a training: losses, accuracies and what its heads do, over its steps; and their logs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "figure/plots/curves_figure.h"
#include "views/training_snapshot.h"

namespace headlight {

/// Writes step, loss, accuracy; the last two are of the batches since the row before.
std::string batches_log(std::span<const CurvePoint> curve);
/// Writes the same columns for examples that were never trained.
std::string tests_log(std::span<const HeldOutPoint> tests);

/// The remains of a run that gave way to another one.
struct EarlierRun {
    std::string name;  // "run 2: Induction"
    std::vector<HeldOutPoint> tests;
};

/// The development of heads: for those with a name above chance, the metric that they are named
/// after; where the study asks about a word, how much that word reads the word that it reads most
/// now.
struct HeadHistory {
    std::string name;  // "1.0 induction"
    int row = 0, head = 0;
    std::vector<std::pair<long, Scalar>> values;  // by step
};
struct HeadHistories {
    std::vector<HeadHistory> heads;
    std::optional<Index> read;  // the key that the asked word reads; nothing: metrics are shown
};
HeadHistories head_histories(const TrainingSnapshot& snapshot, std::size_t most);

/// Draws accuracy and loss, of the batches and on what was held out, and the accuracy of earlier
/// runs. The legend has the values at the shown step.
CurvesInput training_curves(const TrainingSnapshot& snapshot, long shown_step, const Theme& theme,
                            std::span<const EarlierRun> earlier = {});

/// Draws one curve for each head, in its colour.
CurvesInput head_curves(const HeadHistories& histories, const TrainingSnapshot& snapshot,
                        long shown_step, const Theme& theme);

}  // namespace headlight
