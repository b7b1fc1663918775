// The flow of one layer and head: a card for each tensor, connected, around one large picture.
#pragma once

#include <vector>

#include "core/trace.h"
#include "paint/focus.h"
#include "paint/theme.h"

namespace headlight {

enum class FlowArrangement {
    AroundMain,  // input, weights and projections at the left, the rest below the large picture
    Row,         // all cards in one row at the bottom
};

struct FlowInput {
    const Trace& trace;
    std::vector<TensorId> shown;  // in the order of computation
    TensorId chosen = 0;          // the one in the large picture
    Focus hovered, held;
    FlowArrangement arrangement = FlowArrangement::AroundMain;
    float width = 0, height = 0;
};

struct FlowCard {
    TensorId tensor = 0;
    Box box;
    CellGrid grid;
};

struct FlowFigure {
    Figure figure;
    std::vector<FlowCard> cards;
    Box main;  // where the large picture goes

    const FlowCard* card_at(Point p) const;
    const FlowCard* find(TensorId tensor) const;
};

FlowFigure flow_figure(const FlowInput& input, const Theme& theme, const MeasureText& measure);

/// The tensors of one layer's flow with one of its heads, and what the layer shares. `layer` is a
/// path prefix such as "blocks.0" or "gat.0".
std::vector<TensorId> flow_tensors(const Trace& trace, const std::string& layer, int head);

}  // namespace headlight
