// A sentence as a graph: every word is a node, and every node may read every other.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace headlight {

/// One node a word, in order, on a circle from the top clockwise; all pairs connected, undirected,
/// without self-edges. Node::word is the word; equal words get names that differ: "the", "the₂",
/// "the₃" … The title is the sentence.
Graph complete_graph(const std::vector<std::string>& words);

}  // namespace headlight
