#include "core/batch.h"

#include <algorithm>

#include "core/error.h"
#include "core/operations/mask_operations.h"
#include "core/plan.h"

namespace headlight {
namespace {

/// The rows of one sentence among all.
struct SentenceRows {
    Index first = 0, count = 0, of = 0;
};

MatrixPtr slice(const MatrixPtr& matrix, const SentenceRows& rows) {
    if (!matrix || matrix->rows() != rows.of) return matrix;
    return std::make_shared<const Matrix>(matrix->middleRows(rows.first, rows.count));
}

template <typename T>
std::shared_ptr<const std::vector<T>> slice(const std::shared_ptr<const std::vector<T>>& list,
                                            const SentenceRows& rows) {
    if (!list || static_cast<Index>(list->size()) != rows.of) return list;
    const auto begin = list->begin() + rows.first;
    return std::make_shared<const std::vector<T>>(begin, begin + rows.count);
}

Intervention slice(const Intervention& intervention, const SentenceRows& rows) {
    std::vector<CellValue> cells;
    for (const CellValue& cell : intervention.cells)
        if (cell.row >= rows.first && cell.row < rows.first + rows.count)
            cells.push_back({cell.row - rows.first, cell.column, cell.value});
    return {.cells = std::move(cells),
            .rows = intervention.rows,
            .ablation = intervention.ablation,
            .added = intervention.added};
}

void slice_tensor(PlannedTensor& tensor, const SentenceRows& rows) {
    tensor.rows.size = rows.count;
    tensor.rows.groups = 1;
    tensor.first_row = rows.first;
    OperationSettings& settings = tensor.settings;
    settings.group_rows = 0;
    settings.names = slice(settings.names, rows);
    settings.indices = slice(settings.indices, rows);
    settings.values = slice(settings.values, rows);
}

void slice_values(const Tensor& tensor, Tensor& part) {
    if (tensor.rows().groups <= 1) {
        part.intervention = tensor.intervention, part.computed = tensor.computed,
        part.value = tensor.value;
        return;
    }
    const SentenceRows rows{part.first_row(), part.rows().size, tensor.rows().size};
    const bool is_overridden = tensor.value != tensor.computed;
    part.computed = slice(tensor.computed, rows);
    part.value = is_overridden ? slice(tensor.value, rows) : part.computed;
    part.intervention = slice(tensor.intervention, rows);
}

}  // namespace

Index count_sentences(const Plan& plan) {
    Index n = 1;
    for (const PlannedTensor& tensor : plan.tensors()) n = std::max(n, tensor.rows.groups);
    return n;
}

std::shared_ptr<const Plan> plan_of_sentence(const std::shared_ptr<const Plan>& plan,
                                             Index sentence) {
    const Index n_sentences = count_sentences(*plan);
    if (sentence < 0 || sentence >= n_sentences)
        throw Error("sentence", "there is no sentence {}; there are {}", sentence, n_sentences);
    if (n_sentences == 1) return plan;
    auto sliced = std::make_shared<Plan>(*plan);
    for (PlannedTensor& tensor : sliced->tensors()) {
        if (tensor.rows.groups <= 1) continue;
        const Index count = tensor.rows.size / tensor.rows.groups;
        const SentenceRows rows{sentence * count, count, tensor.rows.size};
        ItemList& list = sliced->lists[static_cast<std::size_t>(tensor.rows.list)];
        list.names = slice(list.names, rows);
        list.shown = slice(list.shown, rows);
        slice_tensor(tensor, rows);
    }
    return sliced;
}

Trace trace_of_sentence(const Trace& trace, std::shared_ptr<const Plan> plan) {
    if (plan == trace.shared_plan()) return trace;
    Trace sliced(std::move(plan));
    for (TensorId id = 0; id < sliced.tensors().size(); ++id)
        slice_values(trace[id], sliced.tensors()[id]);
    return sliced;
}

Trace trace_of_sentence(const Trace& trace, Index sentence) {
    return trace_of_sentence(trace, plan_of_sentence(trace.shared_plan(), sentence));
}

Index count_before_padding(const std::vector<std::string>& words) {
    for (Index n = std::ssize(words); n > 0; --n)
        if (words[static_cast<std::size_t>(n) - 1] != kPaddingWord) return n;
    return std::ssize(words);
}

Index last_word(const Plan& plan, const Axis& axis) {
    for (Index i = has_names(axis) ? axis.size : 0; i-- > 0;)
        if (axis_label(plan, axis, i) != kPaddingWord) return i;
    return axis.size - 1;
}

}  // namespace headlight
