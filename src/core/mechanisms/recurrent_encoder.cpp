#include "core/mechanisms/recurrent_encoder.h"

#include <utility>

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
OneWay add_direction(RecurrentNet& net, Direction direction, TensorId embed) {
    const bool is_forward = direction == Direction::Forward;
    const Location here{.network = is_forward ? Network::Forward : Network::Backward,
                        .component = ComponentKind::Recurrence};
    RecurrentCell cell(net.plan, net.settings.cell_type,
                       {.here = here,
                        .mark = is_forward ? "→" : "←",
                        .state = "h",
                        .memory = "c",
                        .index = "t",
                        .index_before = is_forward ? "t−1" : "t+1",
                        .input = net.model,
                        .width = net.state,
                        .pairs = net.pairs},
                       net.seed);
    const std::vector<TensorId> inputs = cell.add_inputs(here, embed);
    const Index n = net.n_source;
    std::vector<CellState> states(static_cast<std::size_t>(n));
    CellState state = cell.add_zero_state();
    for (Index k = 0; k < n; ++k) {
        const Index t = is_forward ? k : n - 1 - k;
        const StepPlace step{.here = here.with(ComponentKind::Step).of_step(static_cast<int>(t)),
                             .inputs = inputs,
                             .row = t,
                             .group_rows = net.group_rows(n)};
        CellState after = cell.add_step(step, state);
        if (net.is_batch())
            after = cell.hold_padding(step, std::move(after), state, net.source_tokens());
        state = std::move(after);
        states[static_cast<std::size_t>(t)] = state;
    }
    return {.h = cell.add_stacks(states, net.source), .end = state.state};
}

}  // namespace

EncodedSource add_encoder(RecurrentNet& net) {
    const TensorName words{Location{.network = Network::Encoder}.at(Role::Embedding), "X",
                           net.source, net.model, Stage::Input};
    const TensorId embed = net.tables.source ? add_looked_up(net.plan, words, Network::Encoder,
                                                             net.tables.source, net.seed)
                                             : net.add_embedding(words, net.plan.items());
    const Location both{.network = Network::Encoder, .component = ComponentKind::Recurrence};
    const TensorName h{both.at(Role::Annotations), "h", net.source, net.context, Stage::Projection};
    const OneWay forward = add_direction(net, Direction::Forward, embed);
    if (!net.is_bidirectional())
        return {embed,
                forward.h,
                add_result(net.plan, h, "h_j = →h_j", operations::copy, {forward.h}),
                {forward.end}};
    const OneWay backward = add_direction(net, Direction::Backward, embed);
    return {embed,
            forward.h,
            add_result(net.plan, h, "h_j = [→h_j | ←h_j]", operations::concat_columns,
                       {forward.h, backward.h}),
            {forward.end, backward.end}};
}

}  // namespace headlight
