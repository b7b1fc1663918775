// Which cards the flow shows, and in which column or row they stand.
#pragma once

#include "paint/figures/flow_figure.h"

namespace headlight {

struct FlowOrder {
    std::vector<TensorId> inputs, weights, projections;  // columns, from the left
    std::vector<TensorId> row;                           // what follows from them
};

/// Queries stand before keys, weights in the order of what they make. What comes from other parts
/// of the network is an input.
FlowOrder order_flow(const FlowInput& input);

/// All of them, as one row.
std::vector<TensorId> in_one_row(const FlowOrder& order);

/// True for what is learned: a leaf that is the same whatever the words are.
bool is_weight(const Tensor& tensor);

/// Cards for which there is no room go: weights all together, then the earliest ones. The chosen
/// one stays.
void leave_out(std::vector<TensorId>& cards, std::size_t room, const FlowInput& input);

}  // namespace headlight
