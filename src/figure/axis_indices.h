// AxisIndices: the items, features and edges that a cell stands for, and with it their cells in
// every other tensor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "figure/heatmap_layout.h"

namespace headlight {

/// The indices that a cell stands for, by axis: the word that looks, the word that is looked at, …
struct AxisIndices {
    std::optional<Index> query, key, edge, model, head_key, head_value, concat;
    int query_list = 0, key_list = 0;  // the lists of query and key
    std::vector<Index> also;           // beside `query`, or beside `key` where nothing looks

    bool is_empty() const {
        return !query && !key && !edge && !model && !head_key && !head_value && !concat;
    }
    /// Returns every item that looks, `query` first; none without it.
    std::vector<Index> queries() const;
    /// Returns every item that is looked at, `key` first.
    std::vector<Index> keys() const;
    bool operator==(const AxisIndices&) const = default;
};

/// Returns the indices of a cell. In a tensor whose only items are its rows (a word of X), the row
/// is a query: the one that looks.
AxisIndices axis_indices(const Trace& trace, const Tensor& tensor, Index row, Index column);

/// Returns the rows and the column of `tensor` that have these indices. Rows of items have them in
/// both roles; those of the query come first.
CellPick cell_pick(const Tensor& tensor, const AxisIndices& indices);

}  // namespace headlight
