// Edge lists: a graph as lines of text.
//
//     # karate.edges
//     0 1          an edge between (or from … to) two nodes
//     0 2 0.5      the same with a weight
//     9            a node by itself
//     # group 1: 9 14 15
//
// The first line with an edge decides the separator of cells: tabs, else semicolons, else commas,
// else blanks. It may name the columns (source, target, weight) in any order, among others. A
// column "type" says the direction of each edge, as Gephi writes it; others are named in a note.
// Names are UTF-8; those with blanks need tabs, semicolons or commas between them, or quotes. A
// line that begins with # or % is a comment, as is, where blanks separate, text after a # before
// a name. One kind of comment means something: "# group N: name name …" puts these nodes into group
// N > 0; names that are no nodes are ignored. Nodes are in the order in which they first appear.
//
// Unless the first line names the columns, every line must look like an edge: brackets that are not
// closed, "- a", "nodes:" or "x = 1" are refused. Then "a -> b" and "a -- b" are edges with and
// without direction, and an edge may be followed by its data as NetworkX writes them:
// {'weight': 0.5, 'kind': 'x'}.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// Reads an edge list. Throws Error with `source_name` and line if the text is not an edge list or
/// exceeds the limits.
ReadGraph read_edge_list(std::string_view text, Directed directed, std::string_view source_name);

/// True if the first line that is no comment names source and target.
bool has_named_columns(std::string_view text);

/// Writes the graph as an edge list, with names of columns where the lines could be taken for
/// anything else. read_edge_list reads it back with the same nodes, groups, edges and weights in
/// the same order; title, places and features are lost. Throws Error if a name would not come back
/// unchanged.
std::string write_edge_list(const Graph& graph);

}  // namespace headlight
