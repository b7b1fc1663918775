// Cells of the rows that the steps of a recurrence read.
#pragma once

#include <utility>
#include <vector>

#include "core/operation.h"

namespace headlight::operations {

/// The row of a stack that row g of a step reads.
inline Index step_row(const Call& call, Index g) {
    return call.settings.begin + g * call.settings.group_rows;
}

inline void add_cell(Explanation& e, const CellRef& cell) {
    e.terms.push_back({{cell}, cell.value});
    e.sum += cell.value;
}

inline void add_product(Explanation& e, std::vector<CellRef> cells) {
    Scalar product = 1;
    for (const CellRef& cell : cells) product *= cell.value;
    e.terms.push_back({std::move(cells), product});
    e.sum += product;
}

inline CellRef cell_ref(const Call& call, std::size_t input, Index row, Index column) {
    return {input, row, column, call[input](row, column)};
}

}  // namespace headlight::operations
