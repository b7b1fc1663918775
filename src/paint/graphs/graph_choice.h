// The focus in a graph: the chosen edges, all edges at the chosen nodes, and their ends.
#pragma once

#include <vector>

#include "paint/graphs/graph_marks.h"

namespace headlight {

struct GraphFocus {
    bool has_focus = false;
    std::vector<Emphasis> edges;  // by edge; empty: all are plain
    std::vector<NodeLook> nodes;  // by node

    Emphasis edge_emphasis(int edge) const { return edges.empty() ? Emphasis::Plain : edges[edge]; }
    NodeLook node_look(int node) const { return nodes[node]; }
    /// Returns the nodes in focus that are not chosen themselves.
    std::vector<int> beside_chosen() const;
};

GraphFocus find_focus(const GraphInput& input, const GraphGeometry& geometry,
                      const GraphChoice& choice);

/// Returns the edges that are drawn: those in focus last, and of the rest the strongest.
std::vector<int> drawing_order(const GraphMarks& marks, const GraphFocus& focus,
                               std::size_t n_edges);

}  // namespace headlight
