// Node tables: a line for each node with its features, as in the .content file of Cora.
//
//     31336 <TAB> 0 <TAB> 1 <TAB> … <TAB> Neural_Networks
//
// A name, then numbers, all rows as many; after them, if the first row has one, a label. A first
// line with names of columns is left out. The separators of cells are as in edge lists.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"

namespace headlight {

/// Columns of nodes. Those that every node has have a meaning, whether they are written
/// "modularity_class" or "Modularity Class":
///   "label" or "name", all different: the nodes' names instead of their ids
///   "x" and "y": places, scaled to the plane
///   "group", "community", "class", "club", "modularity_class": groups
///   any other column of numbers, but for those that only say how to draw: a feature
/// A note names the other columns, but for those that only say how to draw.
class NodeColumns {
  public:
    /// Throws GraphRefusal if the node has something in the column, or there are too many columns.
    void set(int node, std::string_view column, std::string text);

    /// Adds the data of the columns to the graph that was read.
    void apply(ReadGraph& read) const;

  private:
    struct Column {
        std::string name;  // as the file has it
        std::string word;  // the same in small letters, with _ for blanks
        std::vector<std::pair<int, std::string>> cells;  // node and text, in the order of nodes
    };
    using Used = std::vector<const Column*>;  // columns with an effect
    const Column* find_complete(std::string_view word, std::size_t n_nodes) const;
    void set_names(Graph& graph, Used& used) const;
    void set_places(Graph& graph, Used& used) const;
    void set_groups(ReadGraph& read, Used& used) const;
    void set_features(ReadGraph& read, Used& used) const;
    void note_others(ReadGraph& read, const Used& used) const;

    std::vector<Column> columns_;
    std::unordered_map<std::string, std::size_t> index_of_;
};

/// True if the line can be one of a node table with at least two features, or one and a label.
bool is_node_table_line(std::string_view line);

/// Reads nodes with features, and groups by label. Throws Error with `source_name` and line if a
/// row is not as the first, a name comes twice, a feature is no finite number, and beyond the
/// limits.
ReadGraph read_node_table(std::string_view text, std::string_view source_name);

/// Reads a graph from both files of a data set like Cora: `table` has the nodes, `citations` a line
/// "cited <TAB> citing" for each edge. An edge of a node that is not in the table is left out and
/// counted.
struct CitationFiles {
    std::string_view table, table_name, citations, citations_name;
};
ReadGraph read_citations(const CitationFiles& files);

/// Adds the table's features and groups to the nodes of a graph, by name. Nodes missing from the
/// table are counted in the notes.
void add_features(ReadGraph& read, const ReadGraph& table);

}  // namespace headlight
