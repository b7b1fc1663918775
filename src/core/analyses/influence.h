// Influence: how strongly each row of one tensor moves with each row of another.
#pragma once

#include "core/trace.h"

namespace headlight {

namespace operations {

/// J(i,j) = ‖∂Y(i,·)/∂X(j,·)‖, the Frobenius norm of that block of the Jacobian: 0 where row i does
/// not depend on row j. Inputs Y: n×d, X: m×f → n×m. Where sentences are stacked (axis groups of
/// both), j counts the rows of the same sentence. An analysis: reads the trace between Y and X.
extern const Operation influence;

}  // namespace operations

/// True if a cell says how much, or whether, its row's item reads its column's item. A derivative
/// does not: it says how strongly an item of the input moves an item of the output.
bool is_reading(const PlannedTensor& tensor);

/// Adds the influence of the rows of `input` on the rows of `output`. `output` must depend on
/// `input`.
TensorId add_influence(Plan& plan, TensorId output, TensorId input, std::string_view name);

}  // namespace headlight
