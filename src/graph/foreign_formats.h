// Formats of graphs that are not read, so that none is taken for a list of edges.
#pragma once

#include <string_view>

namespace headlight {

/// With its header, or one line that can be nothing but a graph of 5 to 62 nodes.
bool is_graph6(std::string_view text);
/// What networkx.write_multiline_adjlist writes.
bool is_multiline_adjacency_list(std::string_view text);
/// "dl n=3 format=edgelist1"
bool is_ucinet(std::string_view text);
/// "p edge 4 5", perhaps after comments "c …".
bool is_dimacs(std::string_view text);
/// "nodes edges", then a line of neighbours for each node, counted from 1, each edge twice.
bool is_metis(std::string_view text);
/// A document that begins with "---".
bool is_yaml(std::string_view text);
/// "[(0, 1), (1, 2)]" and "(0, 1)". Lists of JSON are read elsewhere.
bool is_python(std::string_view text);

}  // namespace headlight
