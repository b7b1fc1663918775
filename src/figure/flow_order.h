// The cards that the flow shows, and the column or row of each.
#pragma once

#include "figure/flow_figure.h"

namespace headlight {

struct FlowOrder {
    std::vector<TensorId> inputs, weights, projections;  // columns, from the left
    std::vector<TensorId> row;                           // the tensors after them
};

/// Orders the cards: queries before keys, weights in the order of their use. A tensor from another
/// part of the network is an input.
FlowOrder order_flow(const FlowInput& input);

/// Returns all cards as one row.
std::vector<TensorId> in_one_row(const FlowOrder& order);

/// True for learned tensors: leaves that are the same whatever the words are.
bool is_weight(const Tensor& tensor);

/// Drops cards for which there is no room: first all weights together, then the earliest cards. The
/// chosen one stays.
void leave_out(std::vector<TensorId>& cards, std::size_t room, const FlowInput& input);

}  // namespace headlight
