// Where the cards of the flow stand.
#pragma once

#include "paint/figures/flow_figure.h"

namespace headlight {

inline constexpr float kCardPad = 9;
inline constexpr float kCardHeader = 40;  // title and formula

/// Places the cards and the large picture; draws nothing.
FlowFigure lay_out_flow(const FlowInput& input);

}  // namespace headlight
