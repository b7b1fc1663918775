// Training: a recipe on its way, step by step.
//
// Goals: the same weights for the same recipe and number of threads; what was best is kept; a step
// that diverges is taken back. Not goals: threads of its own (the caller says where steps run);
// files.
#pragma once

#include "learn/task.h"
#include "model/weights.h"

namespace headlight {

/// Writes "99.9 %", to the nearest; only all of them are 100 %, and only none are 0 %.
std::string percent_text(double share);

/// Returns the rate as a share of the highest one, after that share of all steps.
double rate_share(RateSchedule schedule, double way);

/// One point of the curves.
struct CurvePoint {
    long step = 0;
    double loss = 0, accuracy = 0;  // of the batches since the last point
};

/// Everything that the next step depends on. A training that goes on from it ends with the bits
/// that it would have had.
struct TrainingState {
    long step = 0;
    WeightMatrices parameters, first, second;  // by path; the optimizer's moments, maybe none
    long optimizer_steps = 0;
    std::string random;  // Random::place
    double rate_factor = 1;
    int n_restores = 0;
    std::vector<CurvePoint> curve;
    WeightMatrices best;  // empty: none was tested yet
    double best_accuracy = -1;
    long best_step = 0;
};

class Training {
  public:
    /// Divides each batch evenly among so many threads, or fewer. Throws Error if there is no such
    /// task.
    Training(const Recipe& recipe, int n_threads);
    /// Trains a task that need not be among tasks().
    Training(const TaskEntry& task, const Recipe& recipe, int n_threads);

    const Recipe& recipe() const { return recipe_; }
    const Task& task() const { return *task_; }
    Trainer& trainer() { return trainer_; }
    const Trainer& trainer() const { return trainer_; }
    std::size_t n_shards() const { return n_shards_; }

    long n_steps() const { return n_steps_; }
    bool is_done() const { return n_steps_ >= recipe_.steps; }
    /// Makes one step. Throws Error if the loss has left the numbers too often. Interventions are
    /// of the task's plan.
    void step(const ForEach& for_each = serial(), const Interventions& interventions = {});
    /// Returns how many times the loss was NaN or infinite, so that the last good weights were
    /// taken up again.
    int n_restores() const { return n_restores_; }

    const std::vector<CurvePoint>& curve() const { return curve_; }

    /// Tests on examples that were never trained. Keeps the weights if they are the best so far; of
    /// equally good ones, the first.
    Loss test();
    /// Returns the accuracy of the last test; best_accuracy returns that of the best one.
    double held_out_accuracy() const { return tested_; }
    double best_accuracy() const { return best_; }

    /// Returns the present weights, or the best that were tested, as a study takes them. The origin
    /// names the task, the steps, the seed, and the accuracy of the test, if there was one.
    SharedWeights weights() const;
    SharedWeights best_weights() const;
    /// Returns the recipe's study with the present weights.
    Document study() const;

    /// Begins at these weights; it must be before the first step. Throws Error if one is missing or
    /// of another shape.
    void begin_at(const Weights& weights);
    /// Returns the state after a step at which a point was drawn; go_on goes on from one. Throws
    /// Error if it belongs to another network.
    TrainingState state() const;
    void go_on(const TrainingState& state);
    /// True if no batch has been counted since the last point of the curve.
    bool is_at_point() const { return since_point_.n_targets == 0; }
    /// Goes on at these weights as after so many steps, with what the optimizer knew then. The
    /// curve ends there. Later batches are others than before.
    void go_on_at(const Weights& weights, long step, Optimizer::State optimizer);
    /// Sets the rate of later steps only.
    void set_learning_rate(double rate) { recipe_.learning_rate = rate; }

  private:
    struct Checkpoint {
        long step = 0;
        std::vector<MatrixPtr> parameters;
        Optimizer::State optimizer;
    };

    double rate() const;
    Checkpoint checkpoint() const;
    void restore();
    void go_back_to(const Checkpoint& checkpoint);
    std::vector<MatrixPtr> find_parameters(const WeightMatrices& matrices) const;
    WeightMatrices by_path(const std::vector<MatrixPtr>& parameters) const;
    SharedWeights weights_from(const std::vector<MatrixPtr>& parameters, long step,
                               double accuracy) const;

    const TaskEntry* entry_;
    Recipe recipe_;
    std::unique_ptr<Task> task_;
    Trainer trainer_;
    Random random_;
    std::size_t n_shards_;
    long n_steps_ = 0;
    int n_restores_ = 0;
    double rate_factor_ = 1;
    Checkpoint good_;
    Loss since_point_;
    std::vector<CurvePoint> curve_;
    double tested_ = -1, best_ = -1;  // −1: not yet
    long best_step_ = 0;
    std::vector<MatrixPtr> best_parameters_;
};

}  // namespace headlight
