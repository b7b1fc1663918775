// One recurrent cell: its weights, and the steps it takes.
//
// Goals: an encoder's direction and a decoder differ in the inputs of a cell, not in the cell.
// Gates, weights and equations are PyTorch's: RNN h; GRU r z n; LSTM i f g o. [Elman 1990; Cho
// 2014; Hochreiter & Schmidhuber 1997]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mechanisms/add_tensor.h"
#include "core/settings.h"

namespace headlight {

/// The place of a cell, and the symbols of its state.
struct RecurrentPlace {
    Location here;                    // "encoder.forward"
    std::string mark;                 // before every symbol: "→"
    std::string state;                // "h", or "s" in a decoder
    std::string memory;               // of an LSTM: "c", or "cell" where c is the context
    std::string index, index_before;  // of any step, and of the one it follows: "t", "t−1"
    Axis input, width;                // columns of what it reads, and of its state
    Axis pairs;                       // rows of its state: one a pair of texts
    Stage stage = Stage::Projection;
};

/// The place of a step, and its inputs.
struct StepPlace {
    Location here;                        // "encoder.forward.steps.3"
    const std::vector<TensorId>& inputs;  // as add_inputs gives them …
    Index row = 0;                        // … of which the step reads this row …
    Index group_rows = 0;                 // … and of each further pair that one, so much later
};

/// The results of a step.
struct CellState {
    TensorId state = 0, memory = 0;
    std::vector<TensorId> parts = {};  // of the step: gates, memory, state
};

class RecurrentCell {
  public:
    /// Names, for each gate g, W_ig (input × width), W_hg (width × width), b_ig, b_hg.
    RecurrentCell(Plan& plan, RecurrentCellType cell, RecurrentPlace place, std::uint64_t seed);

    /// Adds x_g = X W_ig + b_ig of each gate, for every row of X.
    std::vector<TensorId> add_inputs(const Location& here, TensorId x);

    /// Adds leaves of zeros: h_init, and the memory's; or only that of an LSTM's memory.
    CellState add_zero_state();
    TensorId add_zero_memory();

    /// Adds r, h … of one step after `before`.
    CellState add_step(const StepPlace& step, const CellState& before);

    /// Returns the state after a step that reads words of several pairs: pairs that have ended keep
    /// their state before it. `tokens` are rows as the inputs are, kNoRow of padding.
    CellState hold_padding(const StepPlace& step, CellState after, const CellState& before,
                           TensorId tokens);

    /// Adds the steps' gates, memories and states, one matrix each; returns the states'.
    TensorId add_stacks(const std::vector<CellState>& steps, Axis rows);

  private:
    struct Names;

    std::vector<TensorId> add_gru(const StepPlace& step, const CellState& before);
    std::vector<TensorId> add_lstm(const StepPlace& step, const CellState& before);
    TensorId add_gate(const StepPlace& step, std::size_t gate, const CellState& before,
                      const Operation& operation);
    TensorId add_part(const StepPlace& step, const CellState& before, const std::string& part,
                      const Operation& operation, std::vector<TensorId> inputs);
    TensorId add_zeros(const std::string& name, Role role);

    std::vector<std::string> part_names() const;
    std::string equation(const std::string& part, const Names& names) const;
    std::string symbol(const std::string& part, const std::string& index) const;

    Plan& plan_;
    RecurrentCellType cell_;
    RecurrentPlace place_;
    std::vector<std::string> gates_;
    std::vector<TensorId> W_i_, W_h_, b_i_, b_h_;  // by gate
};

/// Adds rows under each other, one a step.
TensorId add_stack(Plan& plan, TensorName name, std::string equation, std::vector<TensorId> steps);

}  // namespace headlight
