// Parts of a call: the rows of each of the stacked sentences, and the gradients of inputs.
#pragma once

#include <algorithm>

#include "core/numeric/product.h"
#include "core/operation.h"

namespace headlight {

/// Rows of a call's result that are of one sentence.
struct RowGroup {
    Index begin = 0, count = 0;  // within the call
    Index group = 0;             // the sentence: its keys are rows group · n_key … of K and V
};

/// Calls `act` with each sentence's rows, first to last; with all rows where none are stacked.
template <typename Act>
void for_each_group(const Call& call, Act act) {
    const Index group_rows = call.settings.group_rows;
    if (group_rows == 0) return act(RowGroup{0, call.rows, 0});
    for (Index i = 0; i < call.rows;) {
        const Index group = (call.first_row + i) / group_rows;
        const Index end = std::min(call.rows, (group + 1) * group_rows - call.first_row);
        act(RowGroup{i, end - i, group});
        i = end;
    }
}

/// Returns the sentence that row `row` of the call belongs to, and its place in it.
inline Index row_group(const Call& call, Index row) {
    const Index group_rows = call.settings.group_rows;
    return group_rows == 0 ? 0 : (call.first_row + row) / group_rows;
}
inline Index row_position(const Call& call, Index row) {
    const Index group_rows = call.settings.group_rows;
    return group_rows == 0 ? call.first_row + row : (call.first_row + row) % group_rows;
}

}  // namespace headlight

namespace headlight::operations {

/// The gradient of an input is a sum over its readers: the first part is set, not added.
inline Into set_or_add(const Call& call, std::size_t input) {
    return has_input(call.unset, input) ? Into::Set : Into::Add;
}

/// Adds `part`, an expression without products, for all cells of the input.
void add_gradient(const Call& call, std::span<Matrix> into, std::size_t input, const auto& part) {
    if (set_or_add(call, input) == Into::Set)
        into[input] = part;
    else
        into[input] += part;
}

}  // namespace headlight::operations
