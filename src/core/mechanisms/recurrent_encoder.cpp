#include "core/mechanisms/recurrent_encoder.h"

#include "core/mechanisms/recurrent_cell.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

enum class Direction { Forward, Backward };

/// What one direction leaves.
struct OneWay {
    TensorId h = 0;    // n × d
    TensorId end = 0;  // 1 × d, after the last word read
};

/// A step is numbered by its word; the backward direction takes the last word first.
OneWay add_direction(RecurrentPlan& plan, Direction direction, TensorId embed) {
    const bool is_forward = direction == Direction::Forward;
    const std::string path = is_forward ? "encoder.forward" : "encoder.backward";
    RecurrentCell cell(plan.trace, plan.settings.cell,
                       {.path = path,
                        .mark = is_forward ? "→" : "←",
                        .state = "h",
                        .memory = "c",
                        .index = "t",
                        .index_before = is_forward ? "t−1" : "t+1",
                        .input = plan.model,
                        .width = plan.state},
                       plan.seed);
    const std::vector<TensorId> inputs = cell.add_inputs(path, embed);
    const Index n = plan.source.size;
    std::vector<CellState> states(static_cast<std::size_t>(n));
    CellState state = cell.add_zero_state();
    for (Index k = 0; k < n; ++k) {
        const Index t = is_forward ? k : n - 1 - k;
        state = cell.add_step(
            {.path = path + ".steps." + std::to_string(t), .number = t, .inputs = inputs, .row = t},
            state);
        states[static_cast<std::size_t>(t)] = state;
    }
    return {.h = cell.add_stacks(states, plan.source), .end = state.state};
}

}  // namespace

EncodedSource add_encoder(RecurrentPlan& plan) {
    const TensorId embed = plan.add_embedding(
        {"encoder.embed", "X", plan.source, plan.model, Stage::Input}, plan.trace.items());
    const TensorName h{"encoder.h", "h", plan.source, plan.context, Stage::Projection};
    const OneWay forward = add_direction(plan, Direction::Forward, embed);
    if (!plan.is_bidirectional())
        return {embed,
                add_result(plan.trace, h, "h_j = →h_j", operations::copy, {forward.h}),
                {forward.end}};
    const OneWay backward = add_direction(plan, Direction::Backward, embed);
    return {embed,
            add_result(plan.trace, h, "h_j = [→h_j | ←h_j]", operations::concat_columns,
                       {forward.h, backward.h}),
            {forward.end, backward.end}};
}

}  // namespace headlight
