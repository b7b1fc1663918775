#include "learn/trainer.h"

#include <algorithm>
#include <array>

#include "core/operations/operations.h"

namespace headlight {
namespace {

/// Traces of a training step are always reused.
constexpr Index kReusedBytes = Index(1) << 40;
constexpr Scalar kMargin = 1;

bool is_learned(const PlannedTensor& tensor) {
    const Operation* operation = tensor.operation;
    return operation == &operations::named_rows || operation == &operations::seeded_weight ||
           operation == &operations::zeros || operation == &operations::ones ||
           operation == &operations::starting_values;
}

/// By tensor: whether the output is computed from it.
std::vector<bool> find_needed(const Plan& plan, TensorId output) {
    std::vector<bool> needed(plan.tensors().size());
    needed[output] = true;
    for (TensorId id = output + 1; id-- > 0;)
        if (needed[id])
            for (const TensorId input : plan[id].inputs) needed[input] = true;
    return needed;
}

std::vector<MatrixPtr> drawn_parameters(const TrainingPlan& plan) {
    const Trace trace = compute(plan.plan, {}, {}, nullptr);
    std::vector<MatrixPtr> drawn;
    for (const TensorId id : plan.parameters)
        drawn.push_back(std::make_shared<const Matrix>(*trace[id].value));
    return drawn;
}

Index count_targets(std::span<const Shard> shards) {
    Index count = 0;
    for (const Shard& shard : shards) count += shard.n_targets();
    return count;
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
    }
    return {};
}

}  // namespace

Index Shard::n_targets() const {
    if (targets) return targets->rows();
    return std::ranges::count_if(classes, [](Index c) { return c != kNoClass; });
}

TrainingPlan training_plan(const Plan& whole, std::string_view output) {
    const TensorId last = whole.id_at(output);
    const std::vector<bool> needed = find_needed(whole, last);
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
    set_parameters(drawn_parameters(plan_));
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
    const Index n_targets = std::max<Index>(1, count_targets(shards));
    const Scalar weight = 1 / static_cast<Scalar>(n_targets);
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

/// Shard by shard, in their order: the sum does not depend on who was first.
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
