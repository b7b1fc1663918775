// Reverse-mode derivatives, from the same operations that computed the trace.
#pragma once

#include <optional>

#include "core/trace.h"

namespace headlight {

/// One entry a tensor: ∂target/∂tensor, with the tensor's shape; empty where nothing depends on it.
using Gradients = std::vector<std::optional<Matrix>>;

/// `seed` weighs the cells of the target (its shape): the gradient of Σ seed · target.
/// A held cell lets nothing through to what was computed under it.
Gradients gradients(const Trace& trace, TensorId target, const Matrix& seed);

/// Gradient of one cell of `target` with respect to every cell of `leaf`.
/// Throws Error if a path is unknown or the cell is outside.
Matrix gradient_of_cell(const Trace& trace, std::string_view target, Index row, Index column,
                        std::string_view leaf);

}  // namespace headlight
