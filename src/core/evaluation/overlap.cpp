#include "core/evaluation/overlap.h"

#include <algorithm>

namespace headlight {
namespace {

Index common_rows(const OverlapCall& call) {
    return std::min(call.rows, call.earlier_rows);
}

/// Returns the number of first entries that are equal; all of them where there is no list.
template <typename T>
Index common_entries(const std::shared_ptr<const std::vector<T>>& a,
                     const std::shared_ptr<const std::vector<T>>& b, Index most) {
    if (a == b) return most;
    if (!a || !b) return 0;
    const auto n = std::min({a->size(), b->size(), static_cast<std::size_t>(most)});
    const auto end = a->begin() + static_cast<std::ptrdiff_t>(n);
    return std::mismatch(a->begin(), end, b->begin()).first - a->begin();
}

Index common_rows(const MatrixPtr& a, const MatrixPtr& b, Index most) {
    if (a == b) return most;
    if (!a || !b || a->cols() != b->cols()) return 0;
    most = std::min({most, a->rows(), b->rows()});
    Index i = 0;
    while (i < most && a->row(i) == b->row(i)) ++i;
    return i;
}

bool have_same_columns(const OverlapCall& call) {
    return call.columns == call.earlier_columns;
}

/// True if sentences are stacked: they begin at other rows when their length changes.
bool is_stacked(const OverlapCall& call) {
    return call.settings.group_rows > 0;
}

/// True if the inputs from number `begin` on are the same everywhere.
bool are_same(const OverlapCall& call, std::size_t begin) {
    return std::ranges::all_of(call.in.subspan(begin), &OverlapInput::is_same);
}

}  // namespace

Index OverlapInput::same_rows() const {
    if (columns == earlier_columns && overlap.columns >= columns) return overlap.rows;
    return overlap.above == Above::Unknown ? 0 : std::min(overlap.rows, overlap.columns);
}

Overlap overlap_by_row(const OverlapCall& call) {
    if (call.by_row == kWhole || !have_same_columns(call)) return {};
    if (!(call.settings == call.earlier_settings)) return {};
    Index rows = common_rows(call);
    for (std::size_t k = 0; k < call.in.size(); ++k) {
        const OverlapInput& input = call.in[k];
        const bool is_by_row = call.by_row == kEveryInput || has_input(call.by_row, k);
        if (!is_by_row && !input.is_same) return {};
        if (!is_by_row) continue;
        if (input.columns != input.earlier_columns) return {};
        rows = std::min(rows, input.same_rows());
    }
    return {rows, call.columns};
}

Overlap overlap_of_leaf(const OverlapCall& call) {
    if (!have_same_columns(call)) return {};
    const OperationSettings &now = call.settings, &earlier = call.earlier_settings;
    Index rows = common_entries(now.names, earlier.names, common_rows(call));
    rows = common_entries(now.indices, earlier.indices, rows);
    return {common_rows(now.values, earlier.values, rows), call.columns};
}

Overlap overlap_of_pairs(const OverlapCall& call) {
    if (is_stacked(call) || !are_same(call, 2)) return {};
    return {std::min(common_rows(call), call.in[0].same_rows()), call.in[1].same_rows()};
}

Overlap overlap_of_mask(const OverlapCall& call) {
    const bool is_one_document = !call.settings.indices && !call.earlier_settings.indices;
    if (is_stacked(call) || !is_one_document) return {};
    const bool is_causal = !call.settings.key.empty();
    return {common_rows(call), std::min(call.columns, call.earlier_columns),
            is_causal ? Above::Masked : Above::Unknown};
}

Overlap overlap_of_sum(const OverlapCall& call) {
    const Overlap &a = call.in[0].overlap, &b = call.in[1].overlap;
    const bool is_masked = a.above == Above::Masked || b.above == Above::Masked;
    return {std::min(a.rows, b.rows), std::min(a.columns, b.columns),
            is_masked ? Above::Masked : Above::Unknown};
}

Overlap overlap_of_softmax(const OverlapCall& call) {
    const bool is_masked = call.in[0].overlap.above == Above::Masked;
    if (!is_masked && !have_same_columns(call)) return {};
    return {call.in[0].same_rows(), std::min(call.columns, call.earlier_columns),
            is_masked ? Above::Zero : Above::Unknown};
}

Overlap overlap_of_mix(const OverlapCall& call) {
    const OverlapInput &A = call.in[0], &B = call.in[1];
    if (A.overlap.above != Above::Zero || call.settings.begin != 0) return overlap_by_row(call);
    if (is_stacked(call) || !have_same_columns(call) || !are_same(call, 2)) return {};
    return {std::min({common_rows(call), A.same_rows(), B.same_rows()}), call.columns};
}

Overlap overlap_of_gathered(const OverlapCall& call) {
    const auto &now = call.settings.indices, &earlier = call.earlier_settings.indices;
    Index rows = common_entries(now, earlier, common_rows(call));
    const Index known = call.in[0].same_rows();
    for (Index i = 0; i < rows; ++i)
        if ((*now)[static_cast<std::size_t>(i)] >= known) rows = i;
    return {rows, call.columns};
}

}  // namespace headlight
