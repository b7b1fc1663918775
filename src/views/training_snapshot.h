// The state that a training run shows: curves, checkpoints, what its heads do. It never changes
// once it is made.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analyses/head_metrics.h"
#include "io/studies/recipe_file.h"
#include "learn/training.h"

namespace headlight {

/// The behaviour of one head, measured on the study of the run.
struct HeadState {
    std::string attention;                // "blocks.1.attn"
    int row = 0, head = 0;                // number of the attention, and of its head
    std::vector<Scalar> metrics = {};     // in the order of HeadMetric
    std::optional<HeadLabel> label = {};  // above chance only
    std::vector<Scalar> asked = {};       // the weights that the asked word reads with
};

/// The heads in the order of the layers; null: not measured yet.
using HeadStates = std::shared_ptr<const std::vector<HeadState>>;

/// The weights of one moment, and all that it takes to go on from there.
struct TrainingCheckpoint {
    long step = 0;
    SharedWeights weights;
    std::shared_ptr<const Optimizer::State> optimizer;
    HeadStates heads = {};
};

/// A test on examples that were never trained.
struct HeldOutPoint {
    long step = 0;
    double loss = 0, accuracy = 0;
};

/// The worth of a head: the accuracy on held-out examples with it, and with zeros in its place.
struct WithoutHead {
    std::string path;  // "blocks.0.attn.heads.2.z"
    long step = 0;
    double with_it = 0, without_it = 0;
};

struct TrainingSnapshot {
    enum class Phase { Preparing, Paused, Running, Done, Failed };
    Phase phase = Phase::Preparing;
    long step = 0, n_steps = 0;  // of all that the recipe has
    double learning_rate = 0;    // the recipe's, as it is now
    double step_secs = 0;        // of a late step; 0: none was made
    std::vector<CurvePoint> curve;
    std::vector<HeldOutPoint> tests;
    long n_tested = 0, n_held_out = 0;  // examples of one test, and all that there are
    double commonest = 0;               // the accuracy of always giving the commonest answer
    /// Ascending; the last one is the newest. If there are many, every second one is dropped.
    std::vector<TrainingCheckpoint> checkpoints;
    long best_step = -1;  // of the checkpoint with the best test; −1: none was tested
    std::optional<WithoutHead> without;
    /// All that it takes to go on in another window, as it was when that was asked for last.
    std::shared_ptr<const InterruptedTraining> kept;
    long n_orders = 0;                 // the number of orders carried out
    std::string message;               // says what has happened, or why the run has failed
    std::vector<std::string> by_hand;  // no command repeats these: "the learning rate changed …"

    bool is_at_end() const { return phase == Phase::Done || phase == Phase::Failed; }
    /// Returns the newest checkpoint at or before that step; null if there is none.
    const TrainingCheckpoint* find_checkpoint(long at) const;
};

}  // namespace headlight
