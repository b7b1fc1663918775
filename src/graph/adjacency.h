// Graphs as tables with a line for each node: adjacency matrices, adjacency lists and SIF.
//
//     ,a,b,c      A matrix: the cell in row i and column j is the weight of the edge from i
//     a,0,1,0     to j; 0, or an empty cell, is no edge. Names stand in the first line, in the
//     b,1,0,1     first column, or in both; without any, nodes are called 0, 1, …
//     c,0,1,0
//
//     a b c       An adjacency list: a node, then those that it has edges to.
//     b: c, d     A colon may end the node; commas or blanks part the others.
//
//     a pp b c    SIF: a node, the kind of edge, then those that it has such edges to.
//
// Comments and separators are those of edge lists.
#pragma once

#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

/// True for as many rows of numbers as columns, at least three, with names or without; and for rows
/// of equally many numbers, at least four, which the reader refuses. Three rows of three numbers
/// could be edges with weights: they are a matrix if all are 0 or 1, if the diagonal is 0, or if a
/// number that would be a name is not whole. Throws Error if the text is no text.
bool is_adjacency_matrix(std::string_view text);

/// Reads a matrix. A symmetric one is an undirected graph, unless `directed` says otherwise. Throws
/// Error with `source_name` and line if the text is none, and beyond the limits.
ReadGraph read_adjacency_matrix(std::string_view text, Directed directed,
                                std::string_view source_name);

/// True if every node has one line, without one twice, and edges with weights cannot be meant: the
/// lines differ in length, or have more than three names, or a : follows each first name. With the
/// colons and a line of several neighbours, nodes may be without a line. NetworkX's comments say so
/// as well.
bool is_adjacency_list(std::string_view text);
ReadGraph read_adjacency_list(std::string_view text, Directed directed,
                              std::string_view source_name);

/// True of the output of networkx.write_adjlist or write_multiline_adjlist.
bool has_networkx_comments(std::string_view text);

/// Reads SIF. Tabs separate where there are any, else blanks. The kinds of edges have no effect,
/// which is noted.
ReadGraph read_sif(std::string_view text, Directed directed, std::string_view source_name);

}  // namespace headlight
