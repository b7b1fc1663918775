#include "core/gradient.h"

#include "core/error.h"

namespace headlight {
namespace {

using Slot = std::optional<Matrix>;

/// Adds what reaches each input of a tensor through it to the input's slot; null: not wanted.
void pull_through(const Tensor& tensor, const Workings& workings, const Matrix& gradient,
                  std::span<Slot* const> slots) {
    const Call call = workings.call();
    const Matrix& computed = *workings.computed();
    const bool is_overridden = !tensor.intervention.cells.empty();
    Matrix freed;  // the gradient of the cells that are not set by hand
    if (is_overridden)
        freed = pull_intervention(tensor.intervention, computed, gradient, tensor.row_edges());

    // What is in a slot already is added to; an input that is read twice begins with 0 once more.
    std::vector<Matrix> into(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const bool has_sum = slots[i] && *slots[i];
        if (has_sum)
            into[i] = std::move(**slots[i]);
        else
            into[i] = Matrix::Zero(call[i].rows(), call[i].cols());
        if (has_sum) slots[i]->reset();
    }
    tensor.operation()->pull(call, view(computed), view(is_overridden ? freed : gradient), into);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (!slots[i]) continue;
        if (*slots[i])
            **slots[i] += into[i];
        else
            *slots[i] = std::move(into[i]);
    }
}

}  // namespace

Gradients gradients(const Trace& trace, TensorId target, const Matrix& seed) {
    const Tensor& tensor = trace[target];
    if (seed.rows() != tensor.rows().size || seed.cols() != tensor.columns().size)
        throw Error("gradient", "the seed is " + shape_text(seed.rows(), seed.cols()) + ", " +
                                    tensor.path() + " is " +
                                    shape_text(tensor.rows().size, tensor.columns().size));
    Gradients all(trace.tensors().size());
    all[target] = seed;
    for (TensorId id = target + 1; id-- > 0;)
        if (all[id] && trace[id].operation()->pull) {
            std::vector<Slot*> slots;
            for (const TensorId input : trace[id].inputs()) slots.push_back(&all[input]);
            pull_through(trace[id], Workings(trace, id), *all[id], slots);
        }
    return all;
}

Matrix gradient_of_cell(const Trace& trace, std::string_view target, Index row, Index column,
                        std::string_view leaf) {
    const TensorId id = trace.id_of(target), at = trace.id_of(leaf);
    const Tensor& tensor = trace[id];
    if (row < 0 || row >= tensor.rows().size || column < 0 || column >= tensor.columns().size)
        throw Error("gradient", "cell " + std::to_string(row) + ", " + std::to_string(column) +
                                    " is outside " + tensor.path() + ", which is " +
                                    shape_text(tensor.rows().size, tensor.columns().size));
    Matrix seed = Matrix::Zero(tensor.rows().size, tensor.columns().size);
    seed(row, column) = 1;
    const Gradients all = gradients(trace, id, seed);
    return all[at] ? *all[at] : Matrix::Zero(trace[at].rows().size, trace[at].columns().size);
}

GradientPath::GradientPath(const Trace& trace, TensorId output, TensorId input)
    : trace_(trace), rows_(trace[input].rows().size), columns_(trace[input].columns().size) {
    find_steps(output, input);
}

void GradientPath::find_steps(TensorId output, TensorId input) {
    std::vector<bool> depends(output + 1);  // on the input
    if (input <= output) depends[input] = true;
    for (TensorId id = input + 1; id <= output; ++id)
        for (const TensorId in : trace_[id].inputs())
            if (depends[in] && trace_[id].operation()->pull) depends[id] = true;
    is_reached_ = depends[output];
    if (!is_reached_) return;

    std::vector<bool> is_on_way(output + 1);
    is_on_way[output] = true;
    std::vector<std::size_t> slot_of(output + 1, kNowhere);
    std::vector<TensorId> ids;
    for (TensorId id = output + 1; id-- > input;) {
        if (!is_on_way[id]) continue;
        slot_of[id] = ids.size();
        ids.push_back(id);
        for (const TensorId in : trace_[id].inputs())
            if (id > input && depends[in]) is_on_way[in] = true;
    }
    ids.pop_back();  // the input itself
    for (const TensorId id : ids) {
        Step step{id, Workings(trace_, id), {}};
        for (const TensorId in : trace_[id].inputs()) step.slots.push_back(slot_of[in]);
        steps_.push_back(std::move(step));
    }
}

Matrix GradientPath::pull(const Matrix& seed) const {
    std::vector<Slot> slots(steps_.size() + 1);
    if (is_reached_) slots[0] = seed;
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        // Stacked steps that the seed does not reach get zeros.
        if (!slots[s] || slots[s]->isZero(0)) continue;
        const Step& step = steps_[s];
        std::vector<Slot*> inputs;
        for (const std::size_t slot : step.slots)
            inputs.push_back(slot == kNowhere ? nullptr : &slots[slot]);
        pull_through(trace_[step.id], step.workings, *slots[s], inputs);
        slots[s].reset();
    }
    return slots.back() ? *slots.back() : Matrix::Zero(rows_, columns_);
}

}  // namespace headlight
