// A large pattern as a small matrix.
#include "paint/thumbnail.h"

#include <algorithm>

#include "core/error.h"

namespace headlight {

Matrix pooled_pattern(std::span<const ReadEdge> edges, Index n, Index max_side) {
    const Index side = std::min(n, max_side);
    Matrix pooled = Matrix::Zero(side, side);
    for (const ReadEdge& edge : edges) {
        if (edge.i < 0 || edge.i >= n || edge.j < 0 || edge.j >= n)
            throw Error("thumbnail", "edge {} → {} leaves a graph of {} nodes", edge.j, edge.i, n);
        Scalar& cell = pooled(edge.i * side / n, edge.j * side / n);
        cell = std::max(cell, edge.alpha);
    }
    return pooled;
}

}  // namespace headlight
