// Reverse-mode derivatives, from the same operations that computed the trace.
#pragma once

#include <optional>

#include "core/compute.h"

namespace headlight {

/// One entry per tensor: ∂target/∂tensor, with the tensor's shape; empty if the target does not
/// depend on it.
using Gradients = std::vector<std::optional<Matrix>>;

/// `seed` weighs the cells of the target (its shape): the gradient of Σ seed · target.
/// A cell set by hand passes no gradient on to the value that was computed for it.
Gradients gradients(const Trace& trace, TensorId target, const Matrix& seed);

/// Gradient of one cell of `target` with respect to every cell of `leaf`.
/// Throws Error if a path is unknown or the cell is outside.
Matrix gradient_of_cell(const Trace& trace, std::string_view target, Index row, Index column,
                        std::string_view leaf);

/// The gradient with respect to one tensor, for many seeds. It visits only the tensors between the
/// two. The trace must outlive it.
class GradientPath {
  public:
    /// From `output` back to `input`, which is the same tensor or an earlier one.
    GradientPath(const Trace& trace, TensorId output, TensorId input);

    /// The gradient of Σ seed · output with respect to the input; zeros if output does not depend
    /// on it.
    Matrix pull(const Matrix& seed) const;

  private:
    /// A tensor between the two, with the slots of its inputs; kNowhere: the input is not between
    /// them.
    struct Step {
        TensorId id;
        Workings workings;
        std::vector<std::size_t> slots;
    };
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

    void find_steps(TensorId output, TensorId input);

    const Trace& trace_;
    Index rows_, columns_;     // of the input
    std::vector<Step> steps_;  // the last tensor first; the gradient of step s is slot s …
    bool is_reached_ = false;  // … and that of the input the slot after the last step
};

}  // namespace headlight
