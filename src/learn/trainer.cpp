#include "learn/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/numeric/softmax.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// Returns the largest logit of a row, other than that of one class.
Index largest_other(ConstView logits, Index row, Index beside) {
    Index best = beside == 0 ? 1 : 0;
    for (Index j = best + 1; j < logits.cols(); ++j)
        if (j != beside && logits(row, j) > logits(row, best)) best = j;
    return best;
}

}  // namespace

Loss& Loss::operator+=(const Loss& other) {
    sum += other.sum;
    n_targets += other.n_targets;
    n_right += other.n_right;
    return *this;
}

Loss cross_entropy(ConstView logits, std::span<const Index> classes, Scalar weight, Matrix& seed) {
    Loss loss;
    seed.resize(logits.rows(), logits.cols());
    for (Index i = 0; i < logits.rows(); ++i) {
        const Index target = classes[static_cast<std::size_t>(i)];
        if (target == kNoClass) {
            seed.row(i).setZero();
            continue;
        }
        const auto n = static_cast<std::size_t>(logits.cols());
        softmax(std::span(logits.row(i).data(), n), std::span(seed.row(i).data(), n));
        Index best = 0;
        const Scalar largest = logits.row(i).maxCoeff(&best);
        // The largest share is never 0, whatever that of the class is.
        loss.sum += static_cast<double>(largest - logits(i, target) - std::log(seed(i, best)));
        ++loss.n_targets;
        if (best == target) ++loss.n_right;
        seed.row(i) *= weight;
        seed(i, target) -= weight;
    }
    return loss;
}

Loss margin_loss(ConstView logits, std::span<const Index> classes, Scalar margin, Scalar weight,
                 Matrix& seed) {
    Loss loss;
    seed.setZero(logits.rows(), logits.cols());
    for (Index i = 0; i < logits.rows(); ++i) {
        const Index target = classes[static_cast<std::size_t>(i)];
        if (target == kNoClass || logits.cols() < 2) continue;
        const Index other = largest_other(logits, i, target);
        const Scalar lead = logits(i, target) - logits(i, other);
        ++loss.n_targets;
        if (lead > 0) ++loss.n_right;
        if (!(lead < margin)) continue;
        loss.sum += static_cast<double>(margin - lead);
        seed(i, target) = -weight;
        seed(i, other) = weight;
    }
    return loss;
}

Loss squared_error(ConstView output, ConstView targets, Scalar tolerance, Scalar weight,
                   Matrix& seed) {
    // L = Σ_i mean_j e(i,j)², e = y − target:  ∂y(i,j) = 2 e(i,j) / columns
    seed = output - targets;
    Loss loss;
    loss.n_targets = output.rows();
    for (Index i = 0; i < output.rows(); ++i) {
        loss.sum +=
            static_cast<double>(seed.row(i).squaredNorm()) / static_cast<double>(output.cols());
        if (seed.row(i).cwiseAbs().maxCoeff() <= tolerance) ++loss.n_right;
    }
    seed *= 2 * weight / static_cast<Scalar>(output.cols());
    return loss;
}

namespace {

/// A weight of 0 has no logarithm; the loss of such a weight is that of kLeastWeight.
constexpr Scalar kLeastWeight = 1e-12f;

/// Adds the loss of a row; returns false if it has no target.
bool add_pointer_row(Loss& loss, ConstView patterns, ConstView targets, Index row, Index first,
                     Index n) {
    double lost = 0;
    Index wanted = -1, largest = first;
    for (Index j = first; j < first + n; ++j) {
        if (patterns(row, j) > patterns(row, largest)) largest = j;
        const Scalar target = targets(row, j);
        if (target == 0) continue;
        lost -= static_cast<double>(target * std::log(std::max(patterns(row, j), kLeastWeight)));
        if (wanted < 0 || target > targets(row, wanted)) wanted = j;
    }
    if (wanted < 0) return false;
    loss.sum += lost;
    ++loss.n_targets;
    if (wanted == largest) ++loss.n_right;
    return true;
}

}  // namespace

Loss pointer_loss(ConstView patterns, ConstView targets, Index n_patterns, Scalar weight,
                  Matrix& seed) {
    // L = −Σ t log A:  ∂A = −t / A
    Loss loss;
    seed.setZero(patterns.rows(), patterns.cols());
    const Index n = patterns.cols() / n_patterns;
    for (Index i = 0; i < patterns.rows(); ++i)
        for (Index k = 0; k < n_patterns; ++k) {
            if (!add_pointer_row(loss, patterns, targets, i, k * n, n)) continue;
            for (Index j = k * n; j < (k + 1) * n; ++j)
                if (targets(i, j) != 0)
                    seed(i, j) = -weight * targets(i, j) / std::max(patterns(i, j), kLeastWeight);
        }
    return loss;
}

double Optimizer::step(std::span<const MatrixPtr> from, std::span<Matrix> gradients,
                       std::span<const std::shared_ptr<Matrix>> to, double learning_rate) {
    double squares = 0;
    for (const Matrix& gradient : gradients) squares += static_cast<double>(gradient.squaredNorm());
    const double length = std::sqrt(squares);
    if (settings_.clip_norm > 0 && length > settings_.clip_norm)
        for (Matrix& gradient : gradients)
            gradient *= static_cast<Scalar>(settings_.clip_norm / (length + 1e-6));
    if (state_.first.empty())
        for (const Matrix& gradient : gradients) {
            state_.first.push_back(Matrix::Zero(gradient.rows(), gradient.cols()));
            if (settings_.rule != Rule::Sgd)
                state_.second.push_back(Matrix::Zero(gradient.rows(), gradient.cols()));
        }
    ++state_.n_steps;
    for (std::size_t k = 0; k < from.size(); ++k)
        move(view(*from[k]), view(gradients[k]), view(*to[k]), k, learning_rate);
    return length;
}

/// Moves one parameter.
void Optimizer::move(ConstView from, View gradient, View to, std::size_t k, double learning_rate) {
    const auto rate = static_cast<Scalar>(learning_rate);
    const auto decay = static_cast<Scalar>(settings_.weight_decay);
    const bool is_decoupled = settings_.rule == Rule::AdamW;
    if (decay != 0 && !is_decoupled) gradient += decay * from;
    Matrix& first = state_.first[k];
    if (settings_.rule == Rule::Sgd) {
        const auto momentum = static_cast<Scalar>(settings_.momentum);
        first = state_.n_steps == 1 ? Matrix(gradient) : Matrix(momentum * first + gradient);
        to = from - rate * first;
        return;
    }
    const double b1 = settings_.beta1, b2 = settings_.beta2;
    const auto n = static_cast<double>(state_.n_steps);
    const double corrected = learning_rate / (1 - std::pow(b1, n));
    const double root = std::sqrt(1 - std::pow(b2, n));
    const auto keep1 = static_cast<Scalar>(b1), keep2 = static_cast<Scalar>(b2);
    const auto new1 = static_cast<Scalar>(1 - b1), new2 = static_cast<Scalar>(1 - b2);
    const auto size = static_cast<Scalar>(corrected), over = static_cast<Scalar>(1 / root);
    const auto epsilon = static_cast<Scalar>(settings_.epsilon);
    const Scalar shrunk = is_decoupled ? 1 - rate * decay : Scalar(1);
    auto m = first.array();
    auto v = state_.second[k].array();
    const auto g = gradient.array();
    m = keep1 * m + new1 * g;
    v = keep2 * v + new2 * g.square();
    to.array() = shrunk * from.array() - size * m / (v.sqrt() * over + epsilon);
}

namespace {

/// Traces of a training step are always reused.
constexpr Index kReusedBytes = std::numeric_limits<Index>::max();
constexpr Scalar kMargin = 1;

bool is_learned(const PlannedTensor& tensor) {
    const Operation* operation = tensor.operation;
    return operation == &operations::named_rows || operation == &operations::seeded_weight ||
           operation == &operations::zeros || operation == &operations::ones ||
           operation == &operations::starting_values;
}

Loss measure_loss(LossKind kind, ConstView output, const Shard& shard, Scalar weight,
                  Matrix& seed) {
    switch (kind) {
        case LossKind::CrossEntropy:
            return cross_entropy(output, shard.classes, weight, seed);
        case LossKind::Margin:
            return margin_loss(output, shard.classes, kMargin, weight, seed);
        case LossKind::Squared:
            return squared_error(output, view(*shard.targets), kTolerance, weight, seed);
        case LossKind::Pointer:
            return pointer_loss(output, view(*shard.targets), shard.n_patterns, weight, seed);
    }
    return {};
}

}  // namespace

Index Shard::n_targets() const {
    if (n_patterns > 0) {
        const Index n = targets->cols() / n_patterns;
        Index count = 0;
        for (Index k = 0; k < n_patterns; ++k)
            count += (targets->middleCols(k * n, n).rowwise().sum().array() > 0).count();
        return count;
    }
    if (targets) return targets->rows();
    return std::ranges::count_if(classes, [](Index c) { return c != kNoClass; });
}

TrainingPlan training_plan(const Plan& whole, std::string_view output) {
    const TensorId last = whole.id_at(output);
    std::vector<bool> needed(whole.tensors().size());  // the output is computed from it
    needed[last] = true;
    for (TensorId id = last + 1; id-- > 0;)
        if (needed[id])
            for (const TensorId input : whole[id].inputs) needed[input] = true;
    auto plan = std::make_shared<Plan>();
    plan->lists = whole.lists;
    plan->edges = whole.edges;
    plan->grid_columns = whole.grid_columns;
    plan->grid_begin = whole.grid_begin;
    plan->image_columns = whole.image_columns;
    TrainingPlan made{plan, 0, {}};
    std::vector<TensorId> new_ids(whole.tensors().size());
    for (TensorId id = 0; id <= last; ++id) {
        if (!needed[id]) continue;
        PlannedTensor tensor = whole[id];
        tensor.keep = Keep::Always;
        for (TensorId& input : tensor.inputs) input = new_ids[input];
        const bool learned = is_learned(tensor);
        new_ids[id] = plan->add(std::move(tensor));
        if (learned) made.parameters.push_back(new_ids[id]);
    }
    made.output = new_ids[last];
    return made;
}

Trainer::Trainer(TrainingPlan plan, const OptimizerSettings& settings, std::size_t n_shards,
                 LossKind loss)
    : plan_(std::move(plan)), loss_(loss), optimizer_(settings) {
    for (std::size_t s = 0; s < n_shards; ++s)
        lanes_.push_back(std::make_unique<Lane>(
            Lane{.evaluator = Evaluator(kReusedBytes),
                 .backward = Backward(*plan_.plan, plan_.output, plan_.parameters),
                 .trace = {},
                 .given = {},
                 .seed = {},
                 .loss = {}}));
    const Trace trace = compute(plan_.plan, {}, {}, nullptr);
    std::vector<MatrixPtr> drawn;
    for (const TensorId id : plan_.parameters)
        drawn.push_back(std::make_shared<const Matrix>(*trace[id].value));
    set_parameters(drawn);
}

void Trainer::set_parameters(const std::vector<MatrixPtr>& parameters) {
    parameters_.clear();
    spare_.clear();
    gradients_.clear();
    for (const MatrixPtr& parameter : parameters) {
        parameters_.push_back(std::make_shared<const Matrix>(*parameter));
        spare_.push_back(std::make_shared<Matrix>(parameter->rows(), parameter->cols()));
        gradients_.emplace_back(parameter->rows(), parameter->cols());
    }
}

void Trainer::forward(Lane& lane, const Shard& shard, Scalar weight,
                      const Interventions& interventions) {
    lane.given.assign(shard.inputs.begin(), shard.inputs.end());
    for (std::size_t k = 0; k < parameters_.size(); ++k)
        lane.given.push_back({plan_.parameters[k], parameters_[k]});
    lane.trace = lane.evaluator.evaluate(plan_.plan, interventions, {}, lane.trace.get(), serial(),
                                         lane.given);
    const ConstView output = view(*(*lane.trace)[plan_.output].value);
    lane.loss = measure_loss(loss_, output, shard, weight, lane.seed);
}

Trainer::Step Trainer::step(std::span<const Shard> shards, double learning_rate,
                            const ForEach& for_each, const Interventions& interventions) {
    Index n_targets = 0;
    for (const Shard& shard : shards) n_targets += shard.n_targets();
    const Scalar weight = 1 / static_cast<Scalar>(std::max<Index>(1, n_targets));
    for_each(std::ssize(lanes_), [&](Index s) {
        Lane& lane = *lanes_[static_cast<std::size_t>(s)];
        forward(lane, shards[static_cast<std::size_t>(s)], weight, interventions);
        lane.backward.read(*lane.trace);
        lane.backward.pull(lane.seed);
    });
    add_gradients();
    Step made;
    for (const auto& lane : lanes_) made.loss += lane->loss;
    made.gradient_norm = optimizer_.step(parameters_, gradients_, spare_, learning_rate);
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
        // The matrices of two steps ago are free again, unless somebody has taken them.
        auto next = std::const_pointer_cast<Matrix>(parameters_[k]);
        parameters_[k] = std::move(spare_[k]);
        spare_[k] = std::move(next);
    }
    return made;
}

/// Adds the gradients shard by shard, in their order: the sum does not depend on which one was
/// first.
void Trainer::add_gradients() {
    for (std::size_t k = 0; k < gradients_.size(); ++k) {
        gradients_[k] = lanes_[0]->backward.gradient(k);
        for (std::size_t s = 1; s < lanes_.size(); ++s)
            gradients_[k] += lanes_[s]->backward.gradient(k);
    }
}

Loss Trainer::test(const Shard& shard, const Interventions& interventions) {
    forward(*lanes_[0], shard, 0, interventions);
    return lanes_[0]->loss;
}

const Matrix& Trainer::output() const {
    return *(*lanes_[0]->trace)[plan_.output].value;
}

}  // namespace headlight
