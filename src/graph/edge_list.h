// Edge lists: a graph as lines of text.
//
//     # karate.edges
//     0 1          an edge between (or from … to) two nodes; also 0,1 or 0;1
//     9            a node by itself
//     # group 1: 9 14 15
//
// Names are UTF-8 without white space, comma or semicolon, and do not begin with #. A # at the
// start of a line or after white space starts a comment. One kind of comment means something:
// "# group N: name name …" puts these nodes into group N > 0; names that are no nodes are ignored.
// Nodes are in the order in which they first appear.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph.h"

namespace headlight {

inline constexpr int kMaxNodes = 200'000;
inline constexpr int kMaxEdges = 2'000'000;

enum class Directed { No, Yes };

struct EdgeListNotes {
    int n_duplicates = 0;  // left out; in an undirected graph "a b" and "b a" are the same edge
    int n_self_edges = 0;  // kept

    bool operator==(const EdgeListNotes&) const = default;
};

struct ParsedEdgeList {
    Graph graph;  // without title and layout
    EdgeListNotes notes;
};

/// Throws Error with `source_name` and line if a line has more than two names, if the text is not
/// UTF-8 or has a NUL byte, if there are no nodes or more than the limits.
ParsedEdgeList parse_edge_list(std::string_view text, Directed directed,
                               std::string_view source_name);

/// "2 duplicate edges left out, 1 self-edge"; "" if there is nothing to say.
std::string notes_text(const EdgeListNotes& notes);

/// What parse_edge_list reads back as the same nodes, groups and edges in the same order; title
/// and places are not kept. Throws Error if a name would not come back as it is.
std::string write_edge_list(const Graph& graph);

}  // namespace headlight
