// The arithmetic of one cell of a trace.
#pragma once

#include "core/trace.h"

namespace headlight {

/// Explains a cell. CellRef::input counts the tensor's inputs: trace[id].inputs[input]. A cell set
/// by hand ends with a finish that says so. Throws Error if the cell is outside the tensor.
Explanation explain(const Trace& trace, TensorId id, Index row, Index column);

/// Writes "Q(it, 3)": symbol (without the braces of scripts), row label and column label of a cell.
std::string cell_name(const Trace& trace, TensorId id, Index row, Index column);
std::string shown_cell_name(const Trace& trace, TensorId id, Index row,
                            Index column);  // in pictures

}  // namespace headlight
