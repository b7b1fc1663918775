// The flow of one part of the network and one head: a card for each tensor, connected, around one
// large picture.
#pragma once

#include <vector>

#include "core/components.h"
#include "figure/axis_indices.h"
#include "figure/picture_scales.h"
#include "figure/theme.h"

namespace headlight {

enum class FlowArrangement {
    AroundMain,  // input, weights and projections at the left, the rest below the large picture
    Row,         // all cards in one row at the bottom
    Walk,        // at the left the inputs of the chosen one, before them the other cards so far
};

struct FlowInput {
    const Trace& trace;
    const Component& component;
    std::vector<TensorId>
        shown;            // cards: of the part and what it reads, in the order of computation
    TensorId chosen = 0;  // the one in the large picture
    AxisIndices hovered, held;
    PictureScales scales = {};
    FlowArrangement arrangement = FlowArrangement::AroundMain;
    float width = 0, height = 0;
    float least_main = 0;  // square points that the large picture keeps: cards go for it
};

struct FlowCard {
    TensorId tensor = 0;
    Box box;
    CellGrid grid;
};

struct FlowFigure {
    Figure figure;
    std::vector<FlowCard> cards;
    Box main;  // the place of the large picture

    const FlowCard* card_at(Point p) const;
    const FlowCard* find(TensorId tensor) const;
};

FlowFigure flow_figure(const FlowInput& input, const Theme& theme, const MeasureText& measure);

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
