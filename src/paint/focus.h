// Focus: what one pointed-at cell means in every other tensor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "paint/figures/heatmap_layout.h"

namespace headlight {

/// The indices that a cell stands for, by axis: the word that looks, the word that is looked at, …
struct Focus {
    std::optional<Index> query, key, edge, model, head_key, head_value, concat;
    int query_list = 0, key_list = 0;  // whose items query and key are
    std::vector<Index> also;           // beside `query`, or beside `key` where nothing looks

    bool is_empty() const {
        return !query && !key && !edge && !model && !head_key && !head_value && !concat;
    }
    /// Every item that looks, `query` first; none without it.
    std::vector<Index> queries() const;
    /// Every item that is looked at, `key` first.
    std::vector<Index> keys() const;
    bool operator==(const Focus&) const = default;
};

/// A row of items alone (a word of X) is a query: the one that looks.
Focus cell_focus(const Trace& trace, const Tensor& tensor, Index row, Index column);

/// The rows and the column of `tensor` that the focus highlights. Rows of items are highlighted in
/// both roles; those of the query come first.
CellPick cell_pick(const Tensor& tensor, const Focus& focus);

}  // namespace headlight
