// Graphs that need no file: complete ones, and Zachary's karate club.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace headlight {

/// Returns one node a word, in order, on a circle from the top clockwise; all pairs connected,
/// undirected, without self-edges. Node::word is the word; equal words get names that differ:
/// "the", "the₂", "the₃" … The title is the sentence.
Graph complete_graph(const std::vector<std::string>& words);

/// Returns Zachary's karate club: 34 members, named "0" … "33", and 78 friendships. Group 0
/// followed Mr. Hi (node 0), group 1 the officer (node 33) when the club split [Zachary 1977]. Laid
/// out.
Graph karate_club();

}  // namespace headlight
