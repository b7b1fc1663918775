#include "learn/training.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/error.h"

namespace headlight {
namespace {

constexpr long kStepsAPoint = 10, kStepsACheckpoint = 100;
constexpr int kMostRestores = 5;

std::vector<MatrixPtr> copied(const std::vector<MatrixPtr>& parameters) {
    std::vector<MatrixPtr> copies;
    for (const MatrixPtr& parameter : parameters)
        copies.push_back(std::make_shared<const Matrix>(*parameter));
    return copies;
}

/// Tables of words and of positions begin with rows of about length 1; they are drawn with numbers
/// of about 1. Biases of distances begin at 0, so that no distance is preferred by chance.
std::vector<MatrixPtr> with_short_tables(const TrainingPlan& plan,
                                         const std::vector<MatrixPtr>& drawn) {
    std::vector<MatrixPtr> begin;
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        const AxisKind rows = (*plan.plan)[plan.parameters[k]].rows.kind;
        const bool is_table = rows == AxisKind::Named || rows == AxisKind::Position;
        const auto length = std::sqrt(static_cast<Scalar>(drawn[k]->cols()));
        begin.push_back(is_table ? std::make_shared<const Matrix>(*drawn[k] / length) : drawn[k]);
        if (rows == AxisKind::Bucket)
            begin.back() =
                std::make_shared<const Matrix>(Matrix::Zero(drawn[k]->rows(), drawn[k]->cols()));
    }
    return begin;
}

std::size_t shards_for(const Recipe& recipe, int n_threads) {
    const int n_shards = std::max(1, n_threads);
    if (recipe.batch < 1 || recipe.batch % n_shards != 0)
        throw Error("training", "a batch of " + std::to_string(recipe.batch) +
                                    " does not part into " + std::to_string(n_shards) +
                                    " equal shards, one a thread");
    return static_cast<std::size_t>(n_shards);
}

}  // namespace

std::string percent_text(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", std::floor(1000 * share + 1e-9) / 10);
    return text;
}

Training::Training(const TaskEntry& entry, const Recipe& recipe, int n_threads)
    : entry_(entry),
      recipe_(recipe),
      task_(entry.make(recipe, recipe.batch / static_cast<int>(shards_for(recipe, n_threads)))),
      trainer_(task_->plan(), recipe.optimizer, shards_for(recipe, n_threads)),
      random_(recipe.seed),
      n_shards_(shards_for(recipe, n_threads)) {
    trainer_.set_parameters(with_short_tables(task_->plan(), trainer_.parameters()));
    good_ = checkpoint();
}

void Training::begin_at(const Weights& weights) {
    const TrainingPlan& plan = task_->plan();
    std::vector<MatrixPtr> parameters;
    for (std::size_t k = 0; k < plan.parameters.size(); ++k) {
        const std::string& path = (*plan.plan)[plan.parameters[k]].path;
        const Matrix& drawn = *trainer_.parameters()[k];
        const auto found = weights.matrices.find(path);
        if (found == weights.matrices.end()) throw Error("training", "the weights have no " + path);
        const Matrix& values = *found->second.values;
        if (values.rows() != drawn.rows() || values.cols() != drawn.cols())
            throw Error("training", path + " is " + shape_text(values.rows(), values.cols()) +
                                        " in the weights, the task needs " +
                                        shape_text(drawn.rows(), drawn.cols()));
        parameters.push_back(found->second.values);
    }
    trainer_.set_parameters(parameters);
    good_ = checkpoint();
}

/// Rises over the first steps, then falls to 0 at the last one.
double Training::rate() const {
    const auto step = static_cast<double>(n_steps_);
    const double rise =
        recipe_.warm_up > 0 ? (step + 1) / static_cast<double>(recipe_.warm_up) : 1.0;
    const double fall = 1 - step / static_cast<double>(std::max(1L, recipe_.steps));
    return rate_factor_ * recipe_.learning_rate * std::min(1.0, rise) * std::max(0.0, fall);
}

Training::Checkpoint Training::checkpoint() const {
    return {n_steps_, copied(trainer_.parameters()), trainer_.optimizer().state()};
}

void Training::step(const ForEach& for_each) {
    if (n_steps_ % kStepsACheckpoint == 0) good_ = checkpoint();
    std::vector<Shard> shards;
    for (std::size_t s = 0; s < n_shards_; ++s) shards.push_back(task_->draw(random_));
    const Trainer::Step made = trainer_.step(shards, rate(), for_each);
    if (!std::isfinite(made.loss.sum) || !std::isfinite(made.gradient_norm)) return restore();
    ++n_steps_;
    since_point_ += made.loss;
    if (n_steps_ % kStepsAPoint == 0 || is_done()) draw_point();
}

void Training::draw_point() {
    curve_.push_back({n_steps_, since_point_.mean(), since_point_.accuracy()});
    since_point_ = {};
}

/// Goes on from the last good weights, with half of the rate and other batches.
void Training::restore() {
    if (++n_restores_ > kMostRestores)
        throw Error("training", "the loss left the numbers at step " + std::to_string(n_steps_) +
                                    " for the " + std::to_string(n_restores_) +
                                    "th time; use a lower learning rate");
    rate_factor_ /= 2;
    n_steps_ = good_.step;
    trainer_.set_parameters(good_.parameters);
    trainer_.set_optimizer_state(good_.optimizer);
    since_point_ = {};
    std::erase_if(curve_, [&](const CurvePoint& point) { return point.step > n_steps_; });
}

Loss Training::test() {
    Loss loss;
    for (const Shard& shard : task_->held_out()) loss += trainer_.test(shard);
    tested_ = loss.accuracy();
    if (tested_ > best_) {
        best_ = tested_;
        best_step_ = n_steps_;
        best_parameters_ = copied(trainer_.parameters());
    }
    return loss;
}

SharedWeights Training::weights() const {
    return weights_from(trainer_.parameters(), n_steps_, tested_);
}

SharedWeights Training::best_weights() const {
    return best_parameters_.empty() ? weights() : weights_from(best_parameters_, best_step_, best_);
}

Document Training::study() const {
    Document document = recipe_.study;
    document.weights = weights();
    return document;
}

SharedWeights Training::weights_from(const std::vector<MatrixPtr>& parameters, long step,
                                     double accuracy) const {
    const TrainingPlan& plan = task_->plan();
    WeightMatrices matrices;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const PlannedTensor& tensor = (*plan.plan)[plan.parameters[k]];
        matrices[tensor.path] = make_weight(*plan.plan, tensor, *parameters[k]);
    }
    std::string origin = std::string("trained: ") + entry_.title + ", " + std::to_string(step) +
                         " steps, seed " + std::to_string(recipe_.seed);
    if (accuracy >= 0) origin += ", " + percent_text(accuracy) + " of held-out examples right";
    return make_weights(std::move(matrices), std::move(origin));
}

}  // namespace headlight
