// The data that a file has about nodes beyond their names, column by column.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"

namespace headlight {

/// Columns that every node has mean something:
///   "label" or "name", all different: what the nodes are called instead of their ids
///   "x" and "y": places, scaled to the plane
///   "group", "community", "class", "club", "modularity_class": groups
///   any other column of numbers, but for those that only say how to draw: a feature
class NodeColumns {
  public:
    /// Throws GraphRefusal if the node has something in the column, or there are too many columns.
    void set(int node, std::string_view column, std::string text);

    /// Adds the data of the columns to the graph that was read.
    void apply(ReadGraph& read) const;

  private:
    struct Column {
        std::string name;
        std::vector<std::pair<int, std::string>> cells;  // node and text, in the order of nodes
    };
    const Column* find_complete(std::string_view name, std::size_t n_nodes) const;
    void set_names(Graph& graph) const;
    void set_places(Graph& graph) const;
    void set_groups(ReadGraph& read) const;
    void set_features(ReadGraph& read) const;

    std::vector<Column> columns_;
    std::unordered_map<std::string, std::size_t> index_of_;
};

}  // namespace headlight
