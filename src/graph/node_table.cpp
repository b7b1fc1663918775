#include "graph/node_table.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/text_lines.h"
#include "text/counted.h"

namespace headlight {
namespace {

bool is_number(std::string_view text) {
    return finite_number(text).has_value();
}

class NodeTableReader {
  public:
    NodeTableReader(std::string_view text, std::string_view source_name)
        : lines_(text, "node table", source_name) {}

    void read() {
        try {
            while (lines_.next()) read_line(lines_.line());
        } catch (const GraphRefusal& refusal) {
            lines_.fail(refusal.what());
        }
        if (builder_.n_nodes() == 0)
            lines_.fail_whole(
                "there are no nodes; a line has a name, features and perhaps a label");
    }

    GraphBuilder& builder() { return builder_; }

    ReadGraph take() {
        ReadGraph read = builder_.take();
        labels_.note(read.notes);
        return read;
    }

  private:
    void read_line(std::string_view line) {
        if (is_comment(line)) return;
        if (separator_ == Separator::Unknown) separator_ = detect_separator(line);
        const std::vector<std::string_view>& cells = cells_.split(line, separator_);
        if (cells.empty()) return;
        if (n_cells_ == 0 && is_header(cells)) return;
        if (n_cells_ == 0) begin(cells);
        if (cells.size() != n_cells_)
            lines_.fail("this line has " + counted(cells.size(), "cell") +
                        "; all lines must have as many as the first node, " +
                        std::to_string(n_cells_));
        read_node(cells);
    }

    /// Names of columns: no cell but the first could be a feature.
    bool is_header(const std::vector<std::string_view>& cells) {
        if (std::exchange(is_begun_, true) || cells.size() < 2) return false;
        for (std::size_t k = 1; k < cells.size(); ++k)
            if (is_number(cells[k])) return false;
        return true;
    }

    void begin(const std::vector<std::string_view>& cells) {
        n_cells_ = cells.size();
        has_label_ = n_cells_ > 1 && !is_number(cells.back());
        n_features_ = n_cells_ - 1 - (has_label_ ? 1 : 0);
        if (n_features_ == 0)
            lines_.fail(
                "this line has no features; after the name a line needs at least one number");
        if (n_features_ > kMaxFeatures)
            lines_.fail("this line has " + counted(n_features_, "feature") +
                        "; at most 100,000 are read");
    }

    void read_node(const std::vector<std::string_view>& cells) {
        const int node = builder_.add_node(cells[0]);
        n_numbers_ += n_features_;
        if (n_numbers_ > kMaxNumbers)
            lines_.fail(
                "there are more than 100,000,000 features in all; use fewer nodes or fewer "
                "features");
        std::vector<float> values;
        values.reserve(n_features_);
        for (std::size_t f = 0; f < n_features_; ++f) {
            const auto value = finite_number(cells[f + 1]);
            if (!value)
                lines_.fail("feature " + std::to_string(f + 1) + ", " + shown(cells[f + 1]) +
                            ", is not a finite number");
            values.push_back(*value);
        }
        builder_.node(node).features = Features(std::move(values));
        if (has_label_) builder_.node(node).group = labels_.find_or_add_group(cells.back());
    }

    TextLines lines_;
    GraphBuilder builder_{Directed::Yes};
    GroupLabels labels_;
    Cells cells_;
    Separator separator_ = Separator::Unknown;
    bool is_begun_ = false, has_label_ = false;
    std::size_t n_cells_ = 0, n_features_ = 0, n_numbers_ = 0;
};

void read_edges(GraphBuilder& builder, const CitationFiles& files) {
    TextLines lines(files.citations, "citations", files.citations_name);
    Cells cells;
    std::size_t n_unknown = 0;
    while (lines.next()) {
        if (is_comment(lines.line())) continue;
        const auto& names = cells.split(lines.line(), Separator::Blank);
        if (names.empty()) continue;
        if (names.size() != 2)
            lines.fail("this line has " + counted(names.size(), "name") +
                       "; it must have two, as in 'cited TAB citing'");
        const auto cited = builder.find_node(names[0]), citing = builder.find_node(names[1]);
        try {
            cited&& citing ? builder.add_edge(*cited, *citing) : void(++n_unknown);
        } catch (const GraphRefusal& refusal) {
            lines.fail(refusal.what());
        }
    }
    if (n_unknown > 0) builder.note(counted(n_unknown, "edge") + " of unknown nodes left out");
}

/// The rows of a table that no node of the graph has taken, by name; "" if there are none.
std::string names_of_others(const std::vector<Node>& rows,
                            const std::unordered_set<std::string_view>& used) {
    constexpr std::size_t kMostNames = 5;
    std::size_t n = 0;
    std::string names;
    for (const Node& row : rows) {
        if (used.contains(row.name)) continue;
        if (n++ < kMostNames) names += (names.empty() ? "" : ", ") + shown(row.name);
    }
    if (n == 0) return "";
    return counted(n, "row") + " of nodes that the graph does not have left out: " + names +
           (n > kMostNames ? " …" : "");
}

}  // namespace

bool is_node_table_line(std::string_view line) {
    Cells cells;
    const auto& found = cells.split(line, detect_separator(line));
    if (found.size() < 3) return false;
    for (std::size_t k = 1; k + 1 < found.size(); ++k)
        if (!is_number(found[k])) return false;
    return found.size() > 3 || !is_number(found.back());
}

ReadGraph read_node_table(std::string_view text, std::string_view source_name) {
    NodeTableReader reader(text, source_name);
    reader.read();
    return reader.take();
}

ReadGraph read_citations(const CitationFiles& files) {
    NodeTableReader reader(files.table, files.table_name);
    reader.read();
    read_edges(reader.builder(), files);
    return reader.take();
}

void add_features(ReadGraph& read, const ReadGraph& table) {
    std::unordered_map<std::string_view, const Node*> rows_by_name;
    for (const Node& row : table.graph.nodes) rows_by_name.emplace(row.name, &row);
    std::size_t n_missing = 0;
    std::unordered_set<std::string_view> used;
    for (Node& node : read.graph.nodes) {
        const auto row = rows_by_name.find(node.name);
        if (row == rows_by_name.end()) {
            ++n_missing;
            continue;
        }
        used.insert(row->first);
        node.features = row->second->features;
        if (row->second->group > 0) node.group = row->second->group;
    }
    if (n_missing > 0)
        read.notes.others.push_back(counted(n_missing, "node") + " without features have zeros");
    const std::string unknown = names_of_others(table.graph.nodes, used);
    if (!unknown.empty()) read.notes.others.push_back(unknown);
    read.notes.others.insert(read.notes.others.end(), table.notes.others.begin(),
                             table.notes.others.end());
}

}  // namespace headlight
