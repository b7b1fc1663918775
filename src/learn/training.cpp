#include "learn/training.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>

#include "core/error.h"
#include "text/strings.h"

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

std::vector<MatrixPtr> shared(const std::vector<Matrix>& matrices) {
    std::vector<MatrixPtr> pointers;
    for (const Matrix& matrix : matrices)
        pointers.push_back(std::make_shared<const Matrix>(matrix));
    return pointers;
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

/// Returns as many shards as there are threads, or fewer, so that they are equal.
std::size_t shards_for(const Recipe& recipe, int n_threads) {
    int n_shards = std::clamp(n_threads, 1, std::max(1, recipe.batch));
    while (recipe.batch % n_shards != 0) --n_shards;
    return static_cast<std::size_t>(n_shards);
}

}  // namespace

double rate_share(RateSchedule schedule, double way) {
    switch (schedule) {
        case RateSchedule::Linear:
            return 1 - way;
        case RateSchedule::Cosine:
            return (1 + std::cos(std::numbers::pi * way)) / 2;
        case RateSchedule::Constant:
            break;
    }
    return 1;
}

std::string percent_text(double share) {
    double per_mille = std::round(1000 * share);
    if (share > 0) per_mille = std::max(per_mille, 1.0);
    if (share < 1) per_mille = std::min(per_mille, 999.0);
    return fmt::format("{:.1f} %", per_mille / 10);
}

Training::Training(const Recipe& recipe, int n_threads)
    : Training(task_named(recipe.task), recipe, n_threads) {}

Training::Training(const TaskEntry& task, const Recipe& recipe, int n_threads)
    : entry_(&task),
      recipe_(recipe),
      task_(entry_->make(recipe, recipe.batch / static_cast<int>(shards_for(recipe, n_threads)))),
      trainer_(task_->plan(), recipe.optimizer, shards_for(recipe, n_threads), recipe.loss),
      random_(recipe.seed),
      n_shards_(shards_for(recipe, n_threads)) {
    recipe_.study = task_->study();
    trainer_.set_parameters(with_short_tables(task_->plan(), trainer_.parameters()));
    good_ = checkpoint();
}

/// Returns the parameters in the order of the plan.
std::vector<MatrixPtr> Training::find_parameters(const WeightMatrices& matrices) const {
    const TrainingPlan& plan = task_->plan();
    std::vector<MatrixPtr> parameters;
    for (std::size_t k = 0; k < plan.parameters.size(); ++k) {
        const std::string& path = (*plan.plan)[plan.parameters[k]].path;
        const Matrix& drawn = *trainer_.parameters()[k];
        const auto found = matrices.find(path);
        if (found == matrices.end()) throw Error("training", "the weights have no {}", path);
        const Matrix& values = *found->second.values;
        if (values.rows() != drawn.rows() || values.cols() != drawn.cols())
            throw Error("training", "{} is {} in the weights, the task needs {}", path,
                        shape_text(values.rows(), values.cols()),
                        shape_text(drawn.rows(), drawn.cols()));
        parameters.push_back(found->second.values);
    }
    return parameters;
}

void Training::begin_at(const Weights& weights) {
    trainer_.set_parameters(find_parameters(weights.matrices));
    good_ = checkpoint();
}

void Training::go_on_at(const Weights& weights, long step, Optimizer::State optimizer) {
    good_ = {step, find_parameters(weights.matrices), std::move(optimizer)};
    go_back_to(good_);
    tested_ = -1;
}

/// Returns the rate, which rises over the first steps and then follows the recipe's schedule.
double Training::rate() const {
    const auto step = static_cast<double>(n_steps_);
    const double rise =
        recipe_.warm_up > 0 ? (step + 1) / static_cast<double>(recipe_.warm_up) : 1.0;
    const double way = std::min(1.0, step / static_cast<double>(std::max(1L, recipe_.steps)));
    return rate_factor_ * recipe_.learning_rate * std::min(1.0, rise) *
           rate_share(recipe_.schedule, way);
}

Training::Checkpoint Training::checkpoint() const {
    return {n_steps_, copied(trainer_.parameters()), trainer_.optimizer().state()};
}

void Training::step(const ForEach& for_each, const Interventions& interventions) {
    if (n_steps_ % kStepsACheckpoint == 0) good_ = checkpoint();
    std::vector<Shard> shards;
    for (std::size_t s = 0; s < n_shards_; ++s) shards.push_back(task_->draw(random_));
    const Trainer::Step made = trainer_.step(shards, rate(), for_each, interventions);
    if (!std::isfinite(made.loss.sum) || !std::isfinite(made.gradient_norm)) return restore();
    ++n_steps_;
    tested_ = -1;
    since_point_ += made.loss;
    if (n_steps_ % kStepsAPoint == 0 || is_done()) {
        curve_.push_back({n_steps_, since_point_.mean(), since_point_.accuracy()});
        since_point_ = {};
    }
}

/// Goes on from the last good weights, with half of the rate and other batches.
void Training::restore() {
    if (n_steps_ == 0 && n_restores_ == 0)
        throw Error("training",
                    "the loss of the first batch, or its gradient, is no number: the weights that "
                    "it begins at do not suit the network's settings");
    if (++n_restores_ > kMostRestores)
        throw Error(
            "training",
            "the loss left the numbers at step {} for the {}th time; use a lower learning rate",
            n_steps_, n_restores_);
    rate_factor_ /= 2;
    go_back_to(good_);
}

void Training::go_back_to(const Checkpoint& checkpoint) {
    n_steps_ = checkpoint.step;
    trainer_.set_parameters(checkpoint.parameters);
    trainer_.set_optimizer_state(checkpoint.optimizer);
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

WeightMatrices Training::by_path(const std::vector<MatrixPtr>& parameters) const {
    const TrainingPlan& plan = task_->plan();
    WeightMatrices matrices;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const PlannedTensor& tensor = (*plan.plan)[plan.parameters[k]];
        matrices[tensor.path] = make_weight(*plan.plan, tensor, *parameters[k]);
    }
    return matrices;
}

TrainingState Training::state() const {
    const Optimizer::State& optimizer = trainer_.optimizer().state();
    return {.step = n_steps_,
            .parameters = by_path(trainer_.parameters()),
            .first = by_path(shared(optimizer.first)),
            .second = by_path(shared(optimizer.second)),
            .optimizer_steps = optimizer.n_steps,
            .random = random_.place(),
            .rate_factor = rate_factor_,
            .n_restores = n_restores_,
            .curve = curve_,
            .best = by_path(best_parameters_),
            .best_accuracy = best_,
            .best_step = best_step_};
}

void Training::go_on(const TrainingState& state) {
    const std::optional<Random> random = Random::at(state.random);
    if (!random) throw Error("training", "the state of the random numbers is damaged");
    const auto moments = [&](const WeightMatrices& matrices) {
        std::vector<Matrix> values;
        if (matrices.empty()) return values;
        for (const MatrixPtr& matrix : find_parameters(matrices)) values.push_back(*matrix);
        return values;
    };
    Optimizer::State optimizer{state.optimizer_steps, moments(state.first), moments(state.second)};
    std::vector<MatrixPtr> best;
    if (!state.best.empty()) best = find_parameters(state.best);
    trainer_.set_parameters(find_parameters(state.parameters));
    trainer_.set_optimizer_state(std::move(optimizer));
    random_ = *random;
    n_steps_ = state.step;
    rate_factor_ = state.rate_factor;
    n_restores_ = state.n_restores;
    curve_ = state.curve;
    since_point_ = {};
    best_parameters_ = std::move(best);
    best_ = state.best_accuracy;
    best_step_ = state.best_step;
    good_ = checkpoint();
}

SharedWeights Training::weights_from(const std::vector<MatrixPtr>& parameters, long step,
                                     double accuracy) const {
    const Document own = entry_->recipe().study;
    const bool is_own_network = have_same_network(recipe_.study, own);
    const bool is_other_graph =
        own.graph() && !(own.graph()->graph == recipe_.study.graph()->graph);
    const std::string of_input = is_other_graph ? task_->own_title() : "";
    const std::string title = of_input.empty() ? entry_->title : of_input;
    std::string origin = step == 0 ? "untrained: " + title
                                   : fmt::format("trained: {}, {}", title, counted(step, "step"));
    origin += fmt::format(", seed {}", recipe_.seed);
    if (!is_own_network) origin += is_other_graph ? ", another graph" : ", another network";
    if (accuracy >= 0)
        origin += fmt::format(", {} of {} right", percent_text(accuracy), task_->tested_noun());
    return make_weights(by_path(parameters), std::move(origin));
}

}  // namespace headlight
