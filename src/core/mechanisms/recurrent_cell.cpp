#include "core/mechanisms/recurrent_cell.h"

#include <fmt/format.h>
#include <utility>

#include "core/operations/operations.h"
#include "core/operations/recurrent_operations.h"

namespace headlight {
namespace {

std::vector<std::string> gate_names(RecurrentCellType cell) {
    switch (cell) {
        case RecurrentCellType::Rnn:
            return {"h"};
        case RecurrentCellType::Gru:
            return {"r", "z", "n"};
        case RecurrentCellType::Lstm:
            return {"i", "f", "g", "o"};
    }
    return {};
}

/// Returns the role of a step's tensor, if the field has a name for it.
Role find_role(const std::string& part, const Operation& operation) {
    constexpr std::pair<std::string_view, Role> kGates[] = {{"r", Role::ResetGate},
                                                            {"z", Role::UpdateGate},
                                                            {"i", Role::InputGate},
                                                            {"f", Role::ForgetGate},
                                                            {"o", Role::OutputGate}};
    if (&operation != &operations::sigmoid_gate) return Role::Other;
    for (const auto& [name, role] : kGates)
        if (part == name) return role;
    return Role::Other;
}

}  // namespace

/// The names in equations of a step, this one and the one before: "3", "h_{2}", or any: "t",
/// "h_{t−1}".
struct RecurrentCell::Names {
    std::string index, row;  // row of x: "(3)", or "" where x has one
    std::string state_before, memory_before;
};

RecurrentCell::RecurrentCell(Plan& plan, RecurrentCellType cell, RecurrentPlace place,
                             std::uint64_t seed)
    : plan_(plan), cell_(cell), place_(std::move(place)), gates_(gate_names(cell)) {
    const Axis &input = place_.input, &width = place_.width;
    const auto name = [&](const std::string& letter, const std::string& gate, Axis rows) {
        const Role role = letter == "b" ? Role::Bias : Role::Other;
        return TensorName{place_.here.beside(fmt::format("{}_{}", letter, gate), role),
                          letter + "_{" + gate + "}", rows, width};
    };
    for (const std::string& g : gates_) {
        W_i_.push_back(add_weight(plan_, name("W", "i" + g, input), seed));
        W_h_.push_back(add_weight(plan_, name("W", "h" + g, width), seed));
        b_i_.push_back(add_constant(plan_, name("b", "i" + g, {}), operations::zeros));
        b_h_.push_back(add_constant(plan_, name("b", "h" + g, {}), operations::zeros));
    }
}

std::vector<TensorId> RecurrentCell::add_inputs(const Location& here, TensorId x) {
    std::vector<TensorId> inputs;
    for (std::size_t g = 0; g < gates_.size(); ++g) {
        const std::string& gate = gates_[g];
        const std::string equation =
            fmt::format("{} W_{{i{}}} + b_{{i{}}}", plan_[x].symbol, gate, gate);
        inputs.push_back(
            add_result(plan_,
                       {here.beside("x_" + gate, Role::GateInput), place_.mark + "x_{" + gate + "}",
                        plan_[x].rows, place_.width, place_.stage},
                       equation, operations::multiply_add, {x, W_i_[g], b_i_[g]}));
    }
    return inputs;
}

TensorId RecurrentCell::add_zeros(const std::string& name, Role role) {
    return add_constant(plan_,
                        {place_.here.beside(name + "_init", role), place_.mark + name + "_{init}",
                         place_.pairs, place_.width},
                        operations::first_state);
}

TensorId RecurrentCell::add_zero_memory() {
    return cell_ == RecurrentCellType::Lstm ? add_zeros(place_.memory, Role::FirstMemory) : 0;
}

CellState RecurrentCell::add_zero_state() {
    const TensorId state = add_zeros(place_.state, Role::FirstState);
    return {.state = state, .memory = add_zero_memory()};
}

CellState RecurrentCell::add_step(const StepPlace& step, const CellState& before) {
    switch (cell_) {
        case RecurrentCellType::Rnn: {
            const TensorId h = add_gate(step, 0, before, operations::tanh_gate);
            return {.state = h, .parts = {h}};
        }
        case RecurrentCellType::Gru: {
            std::vector<TensorId> parts = add_gru(step, before);
            return {.state = parts[3], .parts = std::move(parts)};
        }
        case RecurrentCellType::Lstm: {
            std::vector<TensorId> parts = add_lstm(step, before);
            return {.state = parts[5], .memory = parts[4], .parts = std::move(parts)};
        }
    }
    return {};
}

CellState RecurrentCell::hold_padding(const StepPlace& step, CellState after,
                                      const CellState& before, TensorId tokens) {
    const auto hold = [&](const std::string& name, TensorId now, TensorId held) {
        return add_result(plan_,
                          {step.here.at(name + "_held"), plan_[now].symbol, place_.pairs,
                           place_.width, place_.stage},
                          "as before where the sentence has ended", operations::hold_rows,
                          {now, held, tokens}, {.begin = step.row, .group_rows = step.group_rows});
    };
    after.state = after.parts.back() = hold(place_.state, after.state, before.state);
    if (cell_ == RecurrentCellType::Lstm)
        after.memory = hold(place_.memory, after.memory, before.memory);
    return after;
}

std::vector<TensorId> RecurrentCell::add_gru(const StepPlace& step, const CellState& before) {
    const TensorId r = add_gate(step, 0, before, operations::sigmoid_gate);
    const TensorId z = add_gate(step, 1, before, operations::sigmoid_gate);
    const TensorId n = add_part(step, before, "n", operations::gru_candidate,
                                {step.inputs[2], r, before.state, W_h_[2], b_h_[2]});
    const TensorId h =
        add_part(step, before, place_.state, operations::gru_mix, {z, n, before.state});
    return {r, z, n, h};
}

std::vector<TensorId> RecurrentCell::add_lstm(const StepPlace& step, const CellState& before) {
    const TensorId i = add_gate(step, 0, before, operations::sigmoid_gate);
    const TensorId f = add_gate(step, 1, before, operations::sigmoid_gate);
    const TensorId g = add_gate(step, 2, before, operations::tanh_gate);
    const TensorId o = add_gate(step, 3, before, operations::sigmoid_gate);
    const TensorId c =
        add_part(step, before, place_.memory, operations::lstm_memory, {f, before.memory, i, g});
    const TensorId h = add_part(step, before, place_.state, operations::lstm_state, {o, c});
    return {i, f, g, o, c, h};
}

TensorId RecurrentCell::add_gate(const StepPlace& step, std::size_t gate, const CellState& before,
                                 const Operation& operation) {
    return add_part(step, before, cell_ == RecurrentCellType::Rnn ? place_.state : gates_[gate],
                    operation, {step.inputs[gate], before.state, W_h_[gate], b_h_[gate]});
}

TensorId RecurrentCell::add_part(const StepPlace& step, const CellState& before,
                                 const std::string& part, const Operation& operation,
                                 std::vector<TensorId> inputs) {
    const std::string number = std::to_string(step.here.step);
    const bool has_rows = plan_[step.inputs[0]].rows.size > 1;
    const Names names{number, has_rows ? fmt::format("({})", step.row) : "",
                      plan_[before.state].symbol,
                      cell_ == RecurrentCellType::Lstm ? plan_[before.memory].symbol : ""};
    return add_result(plan_,
                      {step.here.at(part, find_role(part, operation)), symbol(part, number),
                       place_.pairs, place_.width, place_.stage},
                      equation(part, names), operation, std::move(inputs),
                      {.begin = step.row, .group_rows = step.group_rows});
}

std::string RecurrentCell::equation(const std::string& part, const Names& names) const {
    const auto of_step = [&](const std::string& name) { return symbol(name, names.index); };
    const std::string left = of_step(part) + " = ", &before = names.state_before;
    if (part == place_.memory)
        return fmt::format("{}{} ⊙ {} + {} ⊙ {}", left, of_step("f"), names.memory_before,
                           of_step("i"), of_step("g"));
    if (part == place_.state && cell_ == RecurrentCellType::Lstm)
        return fmt::format("{}{} ⊙ tanh({})", left, of_step("o"), of_step(place_.memory));
    if (part == place_.state && cell_ == RecurrentCellType::Gru)
        return fmt::format("{}(1 − {}) ⊙ {} + {} ⊙ {}", left, of_step("z"), of_step("n"),
                           of_step("z"), before);
    const std::string gate = cell_ == RecurrentCellType::Rnn ? gates_[0] : part;
    const std::string x = fmt::format("{}x_{{{}}}{} + ", place_.mark, gate, names.row);
    const std::string sum = fmt::format("{} W_{{h{}}} + b_{{h{}}}", before, gate, gate);
    if (gate == "n") return fmt::format("{}tanh({}{} ⊙ ({}))", left, x, of_step("r"), sum);
    const bool is_tanh = gate == "h" || gate == "g";
    return left + (is_tanh ? "tanh(" : "σ(") + x + sum + ")";
}

TensorId RecurrentCell::add_stacks(const std::vector<CellState>& steps, Axis rows) {
    const std::vector<std::string> parts = part_names();
    const std::string &any = place_.index, &before = place_.index_before;
    const Names names{any, fmt::format("({})", any), symbol(place_.state, before),
                      symbol(place_.memory, before)};
    TensorId last = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        std::vector<TensorId> of_steps;
        for (const CellState& step : steps) of_steps.push_back(step.parts[p]);
        const bool is_state = p + 1 == parts.size();
        last = add_stack(plan_,
                         {place_.here.beside(parts[p], is_state ? Role::States : Role::Other),
                          place_.mark + parts[p], rows, place_.width, place_.stage},
                         equation(parts[p], names), std::move(of_steps));
    }
    return last;
}

std::vector<std::string> RecurrentCell::part_names() const {
    if (cell_ == RecurrentCellType::Rnn) return {place_.state};
    std::vector<std::string> names = gates_;
    if (cell_ == RecurrentCellType::Lstm) names.push_back(place_.memory);
    names.push_back(place_.state);
    return names;
}

std::string RecurrentCell::symbol(const std::string& part, const std::string& index) const {
    return fmt::format("{}{}_{{{}}}", place_.mark, part, index);
}

TensorId add_stack(Plan& plan, TensorName name, std::string equation, std::vector<TensorId> steps) {
    return add_result(plan, std::move(name), std::move(equation), operations::stack_rows,
                      std::move(steps));
}

}  // namespace headlight
