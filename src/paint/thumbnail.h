// A large pattern as a small matrix.
#pragma once

#include <span>

#include "paint/figures/read_lines.h"

namespace headlight {

/// Returns the n × n pattern that the edges hold, each cell of the result the largest α it covers
/// (0 where there is no edge). The result has min(n, max_side) rows and columns: n × n is never
/// made. Throws Error if an edge names a node outside 0 … n−1.
Matrix pooled_pattern(std::span<const ReadEdge> edges, Index n, Index max_side = 128);

}  // namespace headlight
