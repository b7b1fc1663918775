// Places the nodes of a graph, using only its edges.
#pragma once

#include <functional>

#include "core/pieces.h"
#include "graph/graph.h"

namespace headlight {

/// Width : height of the picture that places in [0,1]² are meant to fill.
inline constexpr double kLayoutAspect = 1.4;

/// Sets every node's x and y, inside [0,1]² with a small margin. Distances on a plane of
/// kLayoutAspect : 1 follow the number of steps between nodes; in a large graph in which everything
/// is few steps away, its communities lie apart instead; connected components lie side by side; the
/// long direction is horizontal, with the first node on the left and above. The same graph gives
/// the same places, up to rounding, on every machine. No two nodes share a place. Takes
/// milliseconds for a hundred nodes, about a second for 20,000, several for the largest. `passed`
/// is told now and then which share of the work is done; an exception from it ends the layout, and
/// the graph is as it was.
void lay_out(Graph& graph, const std::function<void(double share)>& passed = {});
/// Does the same in pieces, which the graph must outlive.
Pieces<> lay_out_in_pieces(Graph& graph, std::function<void(double share)> passed);

}  // namespace headlight
