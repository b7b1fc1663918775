#include "core/evaluation/matches.h"

#include <algorithm>
#include <limits>

namespace headlight {
namespace {

bool is_same_use(const PlannedTensor& a, const PlannedTensor& b) {
    return a.operation == b.operation && a.rows == b.rows && a.columns == b.columns &&
           a.inputs.size() == b.inputs.size() && a.settings == b.settings;
}

/// True of two uses of one operation, which may have other rows and columns.
bool is_similar_use(const PlannedTensor& a, const PlannedTensor& b) {
    return a.operation == b.operation && a.rows.kind == b.rows.kind &&
           a.columns.kind == b.columns.kind && a.inputs.size() == b.inputs.size() &&
           a.settings.equals_but_lists(b.settings);
}

/// Returns the first row in which the interventions differ. They change the rows before it alike,
/// each by itself.
Index first_difference(const Intervention& a, const Intervention& b) {
    if (a.rows != b.rows || a.ablation != b.ablation || a.ablation == Ablation::Mean ||
        a.added != b.added)
        return 0;
    const auto [in_a, in_b] = std::ranges::mismatch(a.cells, b.cells);
    constexpr Index kNowhere = std::numeric_limits<Index>::max();
    return std::min(in_a == a.cells.end() ? kNowhere : in_a->row,
                    in_b == b.cells.end() ? kNowhere : in_b->row);
}

/// Returns the overlap of the values, given that of the computed matrices.
Overlap after_interventions(OverlapInput computed, const Tensor& tensor, const Tensor& earlier) {
    if (tensor.intervention.is_empty() && earlier.intervention.is_empty()) return computed.overlap;
    if (computed.columns != computed.earlier_columns || tensor.row_edges()) return {};
    return {
        std::min(computed.same_rows(), first_difference(tensor.intervention, earlier.intervention)),
        computed.columns};
}

}  // namespace

Matches::Matches(const Trace& trace, const Trace* previous)
    : trace_(trace),
      previous_(previous),
      is_same_plan_(previous && previous->shared_plan() == trace.shared_plan()),
      matches_(trace.tensors().size()) {
    if (!previous_) return;
    if (!is_same_plan_) first_rows_.assign(matches_.size(), 0);
    for (TensorId id = 0; id < matches_.size(); ++id) {
        const Tensor& tensor = trace_[id];
        Match& match = matches_[id];
        // The earlier tensor with the same path usually has the same index.
        const std::vector<Tensor>& earlier = previous_->tensors();
        const bool is_at_same_index =
            is_same_plan_ || (id < earlier.size() && earlier[id].path() == tensor.path());
        match.earlier = is_at_same_index ? &earlier[id] : previous_->find(tensor.path());
        if (!match.earlier) continue;
        match.computed = tensor.is_given == match.earlier->is_given &&
                         (tensor.is_given ? tensor.computed == match.earlier->computed
                                          : is_same_computation(tensor, *match.earlier));
        match.value = match.computed && tensor.intervention == match.earlier->intervention;
        if (!is_same_plan_) find_overlap(id);
    }
    if (std::ranges::all_of(first_rows_, [](Index rows) { return rows == 0; })) first_rows_.clear();
}

Flags Matches::reused() const {
    Flags reused;
    reused.reserve(matches_.size());
    for (TensorId id = 0; id < matches_.size(); ++id)
        reused.push_back(trace_[id].is_given ||
                         (matches_[id].computed && matches_[id].earlier->computed));
    return reused;
}

bool Matches::first_rows_hold(const Trace& trace) const {
    return std::ranges::all_of(must_be_small_, [&](TensorId id) {
        const MatrixPtr& value = trace[id].value;
        return value && (value->size() == 0 ||
                         value->cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= kLargestInOverlap);
    });
}

void Matches::take_over(Trace& trace, TensorId id) const {
    const Match& match = matches_[id];
    Tensor& tensor = trace.tensors()[id];
    if (!match.computed) {
        tensor.value = after_intervention(trace, id, tensor.computed);
        return;
    }
    if (tensor.computed != match.earlier->computed) tensor.computed = match.earlier->computed;
    if (!match.value || !match.earlier->value)
        tensor.value = after_intervention(trace, id, tensor.computed);
    else if (tensor.value != match.earlier->value)
        tensor.value = match.earlier->value;
}

void Matches::take_first_rows(Trace& trace, TensorId id) const {
    const Match& match = matches_[id];
    Tensor& tensor = trace.tensors()[id];
    const auto take = [&](const Matrix& earlier) {
        const Index rows = first_rows_[id];
        const auto made = std::make_shared<Matrix>(tensor.rows().size, tensor.columns().size);
        const Index columns = std::min(made->cols(), earlier.cols());
        made->topLeftCorner(rows, columns) = earlier.topLeftCorner(rows, columns);
        // The columns that only the new matrix has are above the diagonal in these rows.
        made->topRightCorner(rows, made->cols() - columns)
            .setConstant(match.overlap.above == Above::Masked ? kMasked : Scalar(0));
        return made;
    };
    tensor.computed = tensor.value = take(*match.earlier->computed);
    if (!tensor.intervention.is_empty()) tensor.value = take(*match.earlier->value);
}

bool Matches::is_same_computation(const Tensor& tensor, const Tensor& earlier) const {
    if (is_same_plan_)
        return std::ranges::all_of(tensor.inputs(),
                                   [&](TensorId input) { return matches_[input].value; });
    if (!is_same_use(tensor.planned(), earlier.planned())) return false;
    for (std::size_t i = 0; i < tensor.inputs().size(); ++i) {
        const Match& input = matches_[tensor.inputs()[i]];
        if (!input.value || input.earlier != &(*previous_)[earlier.inputs()[i]]) return false;
    }
    return true;
}

OverlapInput Matches::overlap_input(TensorId id) const {
    const Tensor &tensor = trace_[id], &earlier = *matches_[id].earlier;
    return {matches_[id].overlap,  tensor.rows().size,     earlier.rows().size,
            tensor.columns().size, earlier.columns().size, matches_[id].value};
}

void Matches::find_overlap(TensorId id) {
    const Tensor& tensor = trace_[id];
    Match& match = matches_[id];
    const Tensor& earlier = *match.earlier;
    const Index rows = tensor.rows().size, columns = tensor.columns().size;
    const auto rule = tensor.operation()->overlap;
    if (match.value && !rule) {
        match.overlap = {rows, columns};
        return;
    }
    if (tensor.is_given || earlier.is_given || !is_similar_use(tensor, earlier)) return;
    std::vector<OverlapInput> in;
    in.reserve(tensor.inputs().size());
    for (std::size_t i = 0; i < tensor.inputs().size(); ++i) {
        const TensorId input = tensor.inputs()[i];
        if (matches_[input].earlier != &(*previous_)[earlier.inputs()[i]]) return;
        in.push_back(overlap_input(input));
    }
    const OverlapCall call{
        in,      tensor.settings(),      earlier.settings(),        rows, earlier.rows().size,
        columns, earlier.columns().size, tensor.operation()->by_row};
    match.overlap = rule ? rule(call) : overlap_by_row(call);
    match.overlap = after_interventions(overlap_input(id), tensor, earlier);
    if (match.value) match.overlap.rows = rows, match.overlap.columns = columns;
    if (match.value || match.overlap.rows == 0) return;
    const bool reads_later_rows = rule == overlap_of_pairs || rule == overlap_of_mix;
    if (reads_later_rows && !in[1].is_same) {
        must_be_small_.push_back(tensor.inputs()[1]);
        if (rule == overlap_of_pairs) must_be_small_.push_back(tensor.inputs()[0]);
    }
    if (earlier.computed && earlier.value) first_rows_[id] = overlap_input(id).same_rows();
}

}  // namespace headlight
