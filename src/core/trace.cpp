#include "core/trace.h"

#include <algorithm>
#include <fmt/format.h>

namespace headlight {

std::string Tensor::equation() const {
    std::string equation = planned_->equation;
    if (intervention.cells.empty() || !is_leaf() || stage() == Stage::Weight) return equation;
    // The rule of an input no longer holds for these cells.
    const auto n = std::count_if(intervention.cells.begin(), intervention.cells.end(),
                                 [&](const CellValue& cell) {
                                     return cell.row < rows().size && cell.column < columns().size;
                                 });
    if (n > 0) equation += fmt::format(", {}{} set by hand", n, n == 1 ? " cell" : " cells");
    return equation;
}

Trace::Trace(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {
    tensors_.reserve(plan_->tensors().size());
    for (const PlannedTensor& tensor : plan_->tensors())
        tensors_.emplace_back(std::shared_ptr<const PlannedTensor>(plan_, &tensor));
}

const Tensor* Trace::find(std::string_view path) const {
    const PlannedTensor* planned = plan_->find(path);
    return planned ? &tensors_[static_cast<TensorId>(planned - plan_->tensors().data())] : nullptr;
}

}  // namespace headlight
