// Scene: everything that pictures of a study are made from, in the window and in exporters.
#pragma once

#include <memory>

#include "figure/theme.h"
#include "model/document.h"
#include "views/comparison.h"

namespace headlight {

struct EarlierRun;
struct TrainingSnapshot;
struct FinishedSweep;

struct Scene {
    const Document& document;
    const Trace& trace;  // of one sentence
    const Components& components;
    const Selection& selection;
    const Theme& theme;
    const Comparison* comparison = nullptr;      // null, or off: nothing is compared
    std::shared_ptr<const Trace> kept = {};      // the trace, for what outlives the scene
    const TrainingSnapshot* training = nullptr;  // of the weights, where they are being trained
    long training_step = 0;                      // the step of the weights
    const std::vector<EarlierRun>* earlier_runs = nullptr;  // of the same window
    const FinishedSweep* sweep = nullptr;  // the last one over the heads of the study; null: none

    /// Returns the scene with another selection, in another theme.
    Scene with(const Selection& other, const Theme& in) const {
        return {document, trace,    components,    other,        in,   comparison,
                kept,     training, training_step, earlier_runs, sweep};
    }
};

}  // namespace headlight
