#include "core/gradient.h"

#include "core/compute.h"
#include "core/error.h"

namespace headlight {
namespace {

/// Adds to the gradients of a tensor's inputs what reaches them through it.
void pull_one(const Trace& trace, TensorId id, const Matrix& gradient, Gradients& all) {
    const Tensor& tensor = trace[id];
    const Workings workings(trace, id);
    const Matrix& computed = *workings.computed();
    std::vector<Matrix> into;
    for (const Matrix* in : workings.call().in)
        into.push_back(Matrix::Zero(in->rows(), in->cols()));
    tensor.operation->pull(workings.call(), computed,
                           pull_hold(tensor.hold, computed, gradient, tensor.row_edges()), into);
    for (std::size_t i = 0; i < into.size(); ++i) {
        std::optional<Matrix>& sum = all[tensor.inputs[i]];
        if (sum)
            *sum += into[i];
        else
            sum = std::move(into[i]);
    }
}

}  // namespace

Gradients gradients(const Trace& trace, TensorId target, const Matrix& seed) {
    const Tensor& tensor = trace[target];
    if (seed.rows() != tensor.rows.size || seed.cols() != tensor.columns.size)
        throw Error("gradient", "the seed is " + shape_text(seed.rows(), seed.cols()) + ", " +
                                    tensor.path + " is " +
                                    shape_text(tensor.rows.size, tensor.columns.size));
    Gradients all(trace.tensors().size());
    all[target] = seed;
    for (TensorId id = target + 1; id-- > 0;)
        if (all[id] && !trace[id].is_leaf()) pull_one(trace, id, *all[id], all);
    return all;
}

Matrix gradient_of_cell(const Trace& trace, std::string_view target, Index row, Index column,
                        std::string_view leaf) {
    const TensorId id = trace.id_of(target), at = trace.id_of(leaf);
    const Tensor& tensor = trace[id];
    if (row < 0 || row >= tensor.rows.size || column < 0 || column >= tensor.columns.size)
        throw Error("gradient", "cell " + std::to_string(row) + ", " + std::to_string(column) +
                                    " is outside " + tensor.path + ", which is " +
                                    shape_text(tensor.rows.size, tensor.columns.size));
    Matrix seed = Matrix::Zero(tensor.rows.size, tensor.columns.size);
    seed(row, column) = 1;
    const Gradients all = gradients(trace, id, seed);
    return all[at] ? *all[at] : Matrix::Zero(trace[at].rows.size, trace[at].columns.size);
}

}  // namespace headlight
