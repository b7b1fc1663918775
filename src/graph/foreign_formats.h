// Formats of graphs that are recognised but not read, so that none is taken for a list of edges.
#pragma once

#include <string_view>

namespace headlight {

/// True of graph6 with its header, or of one line that can only be a graph of 5 to 62 nodes.
bool is_graph6(std::string_view text);
/// True of the output of networkx.write_multiline_adjlist.
bool is_multiline_adjacency_list(std::string_view text);
/// True of "dl n=3 format=edgelist1".
bool is_ucinet(std::string_view text);
/// True of "p edge 4 5", perhaps after comments "c …".
bool is_dimacs(std::string_view text);
/// True of "nodes edges", then a line of neighbours for each node, counted from 1, each edge twice.
bool is_metis(std::string_view text);
/// True of a document that begins with "---".
bool is_yaml(std::string_view text);
/// True of "[(0, 1), (1, 2)]" and "(0, 1)". Lists of JSON are read elsewhere.
bool is_python(std::string_view text);

}  // namespace headlight
