// Reverse-mode derivatives, from the same operations that computed the trace.
#pragma once

#include <optional>

#include "core/compute.h"

namespace headlight {

/// The gradients, one entry a tensor: ∂target/∂tensor, with the tensor's shape; empty where nothing
/// depends on it.
using Gradients = std::vector<std::optional<Matrix>>;

/// Returns the gradients of Σ seed · target; `seed` weighs the cells of the target (its shape). A
/// cell set by hand passes no gradient on to the value that was computed for it.
Gradients gradients(const Trace& trace, TensorId target, const Matrix& seed);

/// Returns the gradient of one cell of `target` with respect to every cell of `leaf`. Throws Error
/// if a path is unknown or the cell is outside.
Matrix gradient_of_cell(const Trace& trace, std::string_view target, Index row, Index column,
                        std::string_view leaf);

/// Computes the gradients with respect to some tensors, for one seed after another and one trace of
/// a plan after another: the tensors on the way are found once, and the memory is used again.
class Backward {
  public:
    /// Prepares the way from `output` back to `inputs`, any tensors of the plan.
    Backward(const Plan& plan, TensorId output, std::vector<TensorId> inputs);

    /// Reads a trace of the plan, which must stay as it is until the next call. Values that it did
    /// not keep are computed again, once.
    void read(const Trace& trace);
    /// Computes the gradients in the trace that was read last; `seed` weighs the cells of the
    /// output.
    void pull(const Matrix& seed);

    /// Returns the gradient of Σ seed · output with respect to an input: zeros if there is no way.
    const Matrix& gradient(std::size_t input) const { return slots_[slot_of_input_[input]].sum; }
    bool reaches(std::size_t input) const { return slots_[slot_of_input_[input]].is_on_way; }

  private:
    /// The gradient of one tensor; unless it is wanted, it is written and not read.
    struct Slot {
        Index rows = 0, columns = 0;
        bool is_wanted = false;
        bool is_on_way = false;  // from the output to what is wanted
        bool is_begun = false;   // in this pull
        Matrix sum = {};
    };

    /// A tensor on the way, with the places of its inputs among the slots.
    struct Step {
        TensorId id = 0;
        std::size_t slot = 0;
        std::vector<std::size_t> inputs = {};
    };

    std::size_t find_or_add_slot(const Plan& plan, TensorId id);
    void begin(Slot& slot);
    void pull_through(const Step& step, const Workings& workings);

    const Trace* trace_ = nullptr;
    std::vector<Step> steps_;            // the last tensor first
    std::vector<Workings> workings_;     // of each step
    std::vector<std::size_t> place_of_;  // by tensor, its slot; kNowhere
    std::vector<Slot> slots_;
    std::vector<std::size_t> slot_of_input_;
    std::size_t output_slot_ = 0;
    std::vector<Matrix> into_;  // of one step
};

}  // namespace headlight
