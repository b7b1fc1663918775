#include "core/gradient.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/evaluation/segment.h"

namespace headlight {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
/// The least size of gradients that are freed after they have been read, unless they are wanted.
constexpr Index kLargeNumbers = Index(1) << 20;

/// Returns, for each tensor, a flag that its gradient leads to one that is wanted.
std::vector<bool> find_way(const Plan& plan, TensorId output, const std::vector<bool>& is_wanted) {
    std::vector<bool> leads(output + 1), is_on_way(output + 1);
    for (TensorId id = 0; id <= output; ++id) {
        leads[id] = is_wanted[id];
        if (!plan[id].operation->pull) continue;
        for (const TensorId input : plan[id].inputs)
            if (leads[input]) leads[id] = true;
    }
    is_on_way[output] = leads[output];
    for (TensorId id = output + 1; id-- > 0;)
        if (is_on_way[id] && plan[id].operation->pull)
            for (const TensorId input : plan[id].inputs)
                if (leads[input]) is_on_way[input] = true;
    return is_on_way;
}

}  // namespace

Backward::Backward(const Plan& plan, TensorId output, std::vector<TensorId> inputs)
    : place_of_(plan.tensors().size(), kNowhere) {
    std::vector<bool> is_wanted(plan.tensors().size());
    for (const TensorId input : inputs) is_wanted[input] = true;
    output_slot_ = find_or_add_slot(plan, output);
    const std::vector<bool> is_on_way = find_way(plan, output, is_wanted);
    for (TensorId id = output + 1; id-- > 0;) {
        const PlannedTensor& tensor = plan[id];
        const auto leads_on = [&](TensorId input) { return is_on_way[input]; };
        if (!is_on_way[id] || !tensor.operation->pull ||
            std::ranges::none_of(tensor.inputs, leads_on))
            continue;
        Step step{.id = id, .slot = find_or_add_slot(plan, id)};
        for (const TensorId input : tensor.inputs)
            step.inputs.push_back(find_or_add_slot(plan, input));
        steps_.push_back(std::move(step));
    }
    for (const TensorId input : inputs) {
        slot_of_input_.push_back(find_or_add_slot(plan, input));
        Slot& slot = slots_[slot_of_input_.back()];
        slot.is_wanted = true;
        slot.is_on_way = input <= output && is_on_way[input];
    }
}

std::size_t Backward::find_or_add_slot(const Plan& plan, TensorId id) {
    if (place_of_[id] == kNowhere) {
        place_of_[id] = slots_.size();
        slots_.push_back({.rows = plan[id].rows.size, .columns = plan[id].columns.size});
    }
    return place_of_[id];
}

void Backward::read(const Trace& trace) {
    trace_ = &trace;
    workings_.clear();
    workings_.reserve(steps_.size());
    for (const Step& step : steps_) workings_.emplace_back(trace, step.id);
}

void Backward::pull(const Matrix& seed) {
    for (Slot& slot : slots_) slot.is_begun = false;
    slots_[output_slot_].sum = seed;
    slots_[output_slot_].is_begun = true;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        Slot& slot = slots_[steps_[s].slot];
        // If many steps are stacked, those that the seed does not reach get zeros.
        if (slot.is_begun && !slot.sum.isZero(0)) pull_through(steps_[s], workings_[s]);
        if (!slot.is_wanted && slot.sum.size() >= kLargeNumbers) slot.sum.resize(0, 0);
    }
    for (const std::size_t slot : slot_of_input_) begin(slots_[slot]);
}

/// Sets the slot to zeros, if nothing has been added yet.
void Backward::begin(Slot& slot) {
    if (slot.is_begun) return;
    slot.sum.setZero(slot.rows, slot.columns);
    slot.is_begun = true;
}

/// Adds the gradients that reach the inputs of a tensor through it.
void Backward::pull_through(const Step& step, const Workings& workings) {
    const Tensor& tensor = (*trace_)[step.id];
    const Matrix& computed = *workings.computed();
    const Matrix& gradient = slots_[step.slot].sum;
    const Intervention& intervention = tensor.intervention;
    const bool is_overridden = !intervention.is_empty();
    Matrix freed;  // the gradient of the computed cells
    if (is_overridden)
        freed =
            pull_ablation(intervention.ablation,
                          pull_intervention(intervention, computed, gradient, tensor.row_edges()),
                          counted_rows(*trace_, tensor));

    // Gradients are added to earlier ones; an input that is read twice begins with 0 once more.
    Call call = workings.call();
    into_.resize(step.inputs.size());
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        Slot& slot = slots_[step.inputs[i]];
        if (!slot.is_begun && has_input(tensor.operation()->sets, i)) {
            slot.sum.resize(slot.rows, slot.columns);
            slot.is_begun = true;
            call.unset |= row_inputs(i);
        }
        begin(slot);
        into_[i].swap(slot.sum);
        if (into_[i].size() == 0) into_[i].setZero(slot.rows, slot.columns);
    }
    tensor.operation()->pull(call, view(computed), view(is_overridden ? freed : gradient), into_);
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        Slot& slot = slots_[step.inputs[i]];
        if (slot.sum.size() > 0) slot.sum += into_[i];
        if (slot.sum.size() == 0) slot.sum.swap(into_[i]);
        into_[i].resize(0, 0);
    }
}

Gradients gradients(const Trace& trace, TensorId target, const Matrix& seed) {
    const Tensor& tensor = trace[target];
    if (seed.rows() != tensor.rows().size || seed.cols() != tensor.columns().size)
        throw Error("gradient", "the seed is {}, {} is {}", shape_text(seed.rows(), seed.cols()),
                    tensor.path(), shape_text(tensor.rows().size, tensor.columns().size));
    std::vector<TensorId> inputs(target + 1);
    std::iota(inputs.begin(), inputs.end(), TensorId(0));
    Backward backward(trace, target, inputs);
    backward.read(trace);
    backward.pull(seed);
    Gradients all(trace.tensors().size());
    for (const TensorId id : inputs)
        if (backward.reaches(id)) all[id] = backward.gradient(id);
    return all;
}

Matrix gradient_of_cell(const Trace& trace, std::string_view target, Index row, Index column,
                        std::string_view leaf) {
    const TensorId id = trace.id_at(target), at = trace.id_at(leaf);
    const Tensor& tensor = trace[id];
    if (row < 0 || row >= tensor.rows().size || column < 0 || column >= tensor.columns().size)
        throw Error("gradient", "cell {}, {} is outside {}, which is {}", row, column,
                    tensor.path(), shape_text(tensor.rows().size, tensor.columns().size));
    Matrix seed = Matrix::Zero(tensor.rows().size, tensor.columns().size);
    seed(row, column) = 1;
    Backward backward(trace, id, {at});
    backward.read(trace);
    backward.pull(seed);
    return backward.gradient(0);
}

}  // namespace headlight
