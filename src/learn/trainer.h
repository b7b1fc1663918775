// Trainer: steps of gradient descent on one plan.
//
// Goals: the same bits for the same seed, batches and number of shards; a step makes no string.
// Not goals: where batches come from (task.h), when to stop (training.h).
#pragma once

#include <memory>
#include <vector>

#include "core/gradient.h"
#include "learn/loss.h"
#include "learn/optimizer.h"

namespace headlight {

/// A plan of a batch, and what is trained in it.
struct TrainingPlan {
    std::shared_ptr<const Plan> plan;
    TensorId output = 0;               // its rows are compared with classes
    std::vector<TensorId> parameters;  // learned leaves
};

/// What of the plan leads to that output, and its learned leaves. Throws Error if there is no such
/// tensor.
TrainingPlan training_plan(const Plan& whole, std::string_view output);

enum class LossKind { CrossEntropy, Margin, Squared };

/// How far an output may be from its target and be right, where the loss is squared.
inline constexpr Scalar kTolerance = 0.02f;

/// A part of a batch: what the leaves of its plan are, and what each row of the output should be.
struct Shard {
    std::vector<GivenLeaf> inputs;
    std::vector<Index> classes;  // or kNoClass
    MatrixPtr targets = {};      // Squared: of the output's shape

    Index n_targets() const;
};

class Trainer {
  public:
    /// Begins at the parameters that the plan draws. The shards of a batch are computed side by
    /// side.
    Trainer(TrainingPlan plan, const OptimizerSettings& settings, std::size_t n_shards,
            LossKind loss = LossKind::CrossEntropy);

    struct Step {
        Loss loss;                 // before the step
        double gradient_norm = 0;  // before it was clipped
    };
    /// As many shards as the trainer was made for. Interventions are of the shards' plan.
    Step step(std::span<const Shard> shards, double learning_rate,
              const ForEach& for_each = serial(), const Interventions& interventions = {});

    /// No step is made.
    Loss test(const Shard& shard, const Interventions& interventions = {});
    /// The output of the last shard 0 that was computed.
    const Matrix& output() const;

    const TrainingPlan& plan() const { return plan_; }
    /// In the order of the plan's parameters. They stay as they are until the step after the next.
    const std::vector<MatrixPtr>& parameters() const { return parameters_; }
    void set_parameters(const std::vector<MatrixPtr>& parameters);  // copies them
    const Optimizer& optimizer() const { return optimizer_; }
    void set_optimizer_state(Optimizer::State state) { optimizer_.set_state(std::move(state)); }
    /// Of the last step, in the order of the parameters.
    const std::vector<Matrix>& gradients() const { return gradients_; }

  private:
    /// What one shard needs to be computed again and again.
    struct Lane {
        Evaluator evaluator;
        Backward backward;
        std::shared_ptr<const Trace> trace;
        std::vector<GivenLeaf> given;
        Matrix seed;
        Loss loss;
    };

    void forward(Lane& lane, const Shard& shard, Scalar weight, const Interventions& interventions);
    void add_gradients();

    TrainingPlan plan_;
    LossKind loss_;
    Optimizer optimizer_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::vector<MatrixPtr> parameters_;
    std::vector<std::shared_ptr<Matrix>> spare_;  // the next step writes them
    std::vector<Matrix> gradients_;
};

}  // namespace headlight
