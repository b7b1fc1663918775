// Trainer: steps of gradient descent on one plan, with their losses and optimizers.
//
// Goals: the same bits for the same seed, batches and number of shards; a step makes no string. Not
// goals: the source of batches (task.h), when to stop (training.h).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/gradient.h"
#include "core/matrix.h"

namespace headlight {

/// Marks a row without a target.
inline constexpr Index kNoClass = -1;

/// The sums over the rows that have a target.
struct Loss {
    double sum = 0;
    Index n_targets = 0, n_right = 0;

    double mean() const { return n_targets > 0 ? sum / static_cast<double>(n_targets) : 0; }
    double accuracy() const {
        return n_targets > 0 ? static_cast<double>(n_right) / static_cast<double>(n_targets) : 0;
    }
    Loss& operator+=(const Loss& other);
};

/// Computes −log softmax(logits)(class), row by row. `seed` gets its gradient times `weight`, of
/// the logits' shape, with zeros in rows without a target. A row is right if its class has the
/// largest logit.
Loss cross_entropy(ConstView logits, std::span<const Index> classes, Scalar weight, Matrix& seed);

/// Computes max(0, margin − (logit of the class − the largest of the others)), with seed and weight
/// as above.
Loss margin_loss(ConstView logits, std::span<const Index> classes, Scalar margin, Scalar weight,
                 Matrix& seed);

/// Computes the mean over a row of (y − target)², with seed and weight as above. A row is right if
/// none of its numbers is further than `tolerance` from its target.
Loss squared_error(ConstView output, ConstView targets, Scalar tolerance, Scalar weight,
                   Matrix& seed);

/// Computes −Σ target · log pattern, with seed and weight as above: the distance of patterns, as
/// distributions, from where they should point. `n_patterns` of equally many columns stand beside
/// each other; a row of one without a target counts for nothing, and is right if its largest weight
/// is where the target's is.
///                                                                             [cf. Vinyals 2015]
Loss pointer_loss(ConstView patterns, ConstView targets, Index n_patterns, Scalar weight,
                  Matrix& seed);

// Optimizer: the rule by which parameters follow their gradients.
//
// Goals: the arithmetic of PyTorch's optimizers of the same names, in float; no memory in a step.

enum class Rule { Sgd, Adam, AdamW };

struct OptimizerSettings {
    Rule rule = Rule::Adam;
    double momentum = 0;                // Sgd
    double beta1 = 0.9, beta2 = 0.999;  // Adam, AdamW                          [Kingma 2015]
    double epsilon = 1e-8;              // Adam, AdamW
    /// AdamW takes it off the parameter itself [Loshchilov 2019]; the others add it to the
    /// gradient.
    double weight_decay = 0;
    double clip_norm = 0;  // the gradient of all parameters together is at most so long; 0: any

    bool operator==(const OptimizerSettings&) const = default;
};

class Optimizer {
  public:
    explicit Optimizer(const OptimizerSettings& settings) : settings_(settings) {}

    /// Makes `to` from `from` and its gradient. There must be as many matrices in every step, of
    /// the same shapes. Returns the length of the gradient before it was clipped.
    double step(std::span<const MatrixPtr> from, std::span<Matrix> gradients,
                std::span<const std::shared_ptr<Matrix>> to, double learning_rate);

    /// The moments and the count of steps, to go on later. Empty before the first step; Sgd has no
    /// second ones.
    struct State {
        long n_steps = 0;
        std::vector<Matrix> first, second;
    };
    const State& state() const { return state_; }
    void set_state(State state) { state_ = std::move(state); }

  private:
    void move(ConstView from, View gradient, View to, std::size_t k, double learning_rate);

    OptimizerSettings settings_;
    State state_;
};

/// A plan of a batch, and the tensors that are trained in it.
struct TrainingPlan {
    std::shared_ptr<const Plan> plan;
    TensorId output = 0;               // its rows are compared with classes
    std::vector<TensorId> parameters;  // learned leaves
};

/// Returns the part of the plan that leads to that output, and its learned leaves. Throws Error if
/// there is no such tensor.
TrainingPlan training_plan(const Plan& whole, std::string_view output);

enum class LossKind { CrossEntropy, Margin, Squared, Pointer };

/// Where the loss is squared, an output is right if it is no further than this from its target.
inline constexpr Scalar kTolerance = 0.02f;

/// A part of a batch: the inputs of the leaves of its plan, and the target of each row of the
/// output.
struct Shard {
    std::vector<LeafOverride> inputs;
    std::vector<Index> classes;  // or kNoClass
    MatrixPtr targets = {};      // Squared, Pointer: of the output's shape
    Index n_patterns = 0;        // Pointer: that stand beside each other in the output

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
    /// Makes a step from as many shards as the trainer was made for. Interventions are of the
    /// shards' plan.
    Step step(std::span<const Shard> shards, double learning_rate,
              const ForEach& for_each = serial(), const Interventions& interventions = {});

    /// Computes the loss of a shard without a step.
    Loss test(const Shard& shard, const Interventions& interventions = {});
    /// Returns the output of the last shard 0 that was computed.
    const Matrix& output() const;

    const TrainingPlan& plan() const { return plan_; }
    /// Returns the parameters in the order of the plan. They stay as they are until the step after
    /// the next.
    const std::vector<MatrixPtr>& parameters() const { return parameters_; }
    void set_parameters(const std::vector<MatrixPtr>& parameters);  // copies them
    const Optimizer& optimizer() const { return optimizer_; }
    void set_optimizer_state(Optimizer::State state) { optimizer_.set_state(std::move(state)); }
    /// Returns the gradients of the last step, in the order of the parameters.
    const std::vector<Matrix>& gradients() const { return gradients_; }

  private:
    /// The data that one shard needs to be computed again and again.
    struct Lane {
        Evaluator evaluator;
        Backward backward;
        std::shared_ptr<const Trace> trace;
        std::vector<LeafOverride> given;
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
