#include "graph/node_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/layout.h"
#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxColumns = 10'000;
constexpr std::array<std::string_view, 5> kGroupColumns = {"group", "community", "class", "club",
                                                           "modularity_class"};
constexpr std::array<std::string_view, 4> kNameColumns = {"label", "name", "x", "y"};
constexpr std::array<std::string_view, 20> kDrawingColumns = {
    "z",    "vx", "vy", "vz", "fx", "fy", "fz",     "px",   "py",       "index",
    "size", "r",  "g",  "b",  "a",  "id", "radius", "suid", "selected", "locked"};

/// Returns the numbers of a column, or nothing if one is none.
std::optional<std::vector<float>> parse_numbers(
    const std::vector<std::pair<int, std::string>>& cells) {
    std::vector<float> numbers;
    for (const auto& [node, text] : cells) {
        const auto number = finite_number(text);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<int> group_number(std::string_view text) {
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || rest != end || number < 0) return std::nullopt;
    return number;
}

/// The range of some numbers, as doubles, whose difference does not overflow.
struct Reach {
    double low, high;

    explicit Reach(const std::vector<float>& numbers)
        : low(*std::ranges::min_element(numbers)), high(*std::ranges::max_element(numbers)) {}
    double middle() const { return low + (high - low) / 2; }
    double length() const { return high - low; }
    bool is_within_unit() const { return low >= 0 && high <= 1; }
};

}  // namespace

void NodeColumns::set(int node, std::string_view column, std::string text) {
    const auto [entry, is_new] = index_of_.emplace(column, columns_.size());
    if (is_new && columns_.size() == kMaxColumns)
        throw GraphRefusal(
            "the nodes have more than 10,000 different attributes; at most that many are read");
    if (is_new)
        columns_.push_back({std::string(column), replaced_all(ascii_lower(column), " ", "_"), {}});
    auto& cells = columns_[entry->second].cells;
    if (!cells.empty() && cells.back().first == node)
        throw GraphRefusal(fmt::format("a node has {} twice; keep one", shown(column)));
    cells.emplace_back(node, std::move(text));
}

const NodeColumns::Column* NodeColumns::find_complete(std::string_view word,
                                                      std::size_t n_nodes) const {
    const auto found = std::ranges::find_if(columns_, [&](const Column& column) {
        return column.word == word && column.cells.size() == n_nodes;
    });
    return found == columns_.end() ? nullptr : &*found;
}

void NodeColumns::apply(ReadGraph& read) const {
    Used used;
    set_names(read.graph, used);
    set_places(read.graph, used);
    set_groups(read, used);
    set_features(read, used);
    note_others(read, used);
}

void NodeColumns::note_others(ReadGraph& read, const Used& used) const {
    std::vector<std::string> names;
    for (const Column& column : columns_) {
        const bool is_empty =
            std::ranges::all_of(column.cells, [](const auto& cell) { return cell.second.empty(); });
        const bool is_used = is_among(&column, used);
        if (!is_empty && !is_used && !is_among(column.word, kDrawingColumns))
            names.push_back(column.name);
    }
    if (!names.empty()) read.notes.others.push_back(note_of_no_effect("attribute", names, "nodes"));
}

void NodeColumns::set_names(Graph& graph, Used& used) const {
    for (const char* name : {"label", "name"}) {
        const Column* column = find_complete(name, graph.nodes.size());
        if (!column) continue;
        std::unordered_set<std::string_view> names;
        for (const auto& [node, text] : column->cells)
            if (!text.empty() && text.size() <= kMaxNameBytes) names.insert(text);
        if (names.size() != graph.nodes.size()) continue;
        for (const auto& [node, text] : column->cells)
            graph.nodes[static_cast<std::size_t>(node)].name = text;
        used.push_back(column);
        return;
    }
}

void NodeColumns::set_places(Graph& graph, Used& used) const {
    const Column* column_x = find_complete("x", graph.nodes.size());
    const Column* column_y = find_complete("y", graph.nodes.size());
    if (!column_x || !column_y) return;
    const auto x = parse_numbers(column_x->cells), y = parse_numbers(column_y->cells);
    if (!x || !y) return;
    used.insert(used.end(), {column_x, column_y});
    const Reach across(*x), down(*y);
    if (across.length() == 0 && down.length() == 0) return;
    constexpr double kUsed = 0.92;
    const double scale = kUsed / std::max({across.length() / kLayoutAspect, down.length(), 1e-30});
    const bool is_placed = across.is_within_unit() && down.is_within_unit();
    for (std::size_t k = 0; k < x->size(); ++k) {
        Node& node = graph.nodes[static_cast<std::size_t>(column_x->cells[k].first)];
        const double from_middle = ((*x)[k] - across.middle()) * scale / kLayoutAspect;
        node.x = is_placed ? (*x)[k] : static_cast<float>(0.5 + from_middle);
    }
    for (std::size_t k = 0; k < y->size(); ++k) {
        Node& node = graph.nodes[static_cast<std::size_t>(column_y->cells[k].first)];
        const double from_middle = ((*y)[k] - down.middle()) * scale;
        node.y = is_placed ? (*y)[k] : static_cast<float>(0.5 + from_middle);
    }
}

/// Sets the groups. Whole numbers are the groups themselves; other labels are counted from 1.
void NodeColumns::set_groups(ReadGraph& read, Used& used) const {
    for (const std::string_view name : kGroupColumns) {
        const Column* column = find_complete(name, read.graph.nodes.size());
        if (!column) continue;
        const bool are_numbers = std::ranges::all_of(
            column->cells, [](const auto& cell) { return group_number(cell.second).has_value(); });
        GroupLabels labels;
        for (const auto& [node, text] : column->cells)
            read.graph.nodes[static_cast<std::size_t>(node)].group =
                are_numbers ? *group_number(text) : labels.find_or_add_group(text);
        if (!are_numbers) labels.note(read.notes);
        used.push_back(column);
        return;
    }
}

void NodeColumns::set_features(ReadGraph& read, Used& used) const {
    if (read.graph.n_features() > 0) return;
    std::vector<std::vector<float>> columns;
    std::string names;
    for (const Column& column : columns_) {
        const bool is_other =
            !is_among(column.word, kDrawingColumns) && !is_among(column.word, kNameColumns) &&
            !is_among(column.word, kGroupColumns) && column.cells.size() == read.graph.nodes.size();
        auto numbers = is_other ? parse_numbers(column.cells) : std::nullopt;
        if (!numbers) continue;
        columns.push_back(std::move(*numbers));
        used.push_back(&column);
        append_part(names, ", ", shown(column.name));
    }
    if (columns.empty()) return;
    for (std::size_t k = 0; k < read.graph.nodes.size(); ++k) {
        std::vector<float> values;
        for (const std::vector<float>& column : columns) values.push_back(column[k]);
        read.graph.nodes[k].features = Features(std::move(values));
    }
    read.notes.others.push_back("features of nodes: " + names);
}

namespace {

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
        cells_.check_quotes(lines_);
        if (n_cells_ == 0 && is_header(cells)) return;
        if (n_cells_ == 0) begin(cells);
        if (cells.size() != n_cells_)
            lines_.fail("this line has {}; all lines must have as many as the first node, {}",
                        counted(cells.size(), "cell"), n_cells_);
        read_node(cells);
    }

    /// True of names of columns: no cell but the first could be a feature.
    bool is_header(const std::vector<std::string_view>& cells) {
        if (std::exchange(is_begun_, true) || cells.size() < 2) return false;
        for (std::size_t k = 1; k < cells.size(); ++k)
            if (is_finite_number(cells[k])) return false;
        return true;
    }

    void begin(const std::vector<std::string_view>& cells) {
        n_cells_ = cells.size();
        has_label_ = n_cells_ > 1 && !is_finite_number(cells.back());
        n_features_ = n_cells_ - 1 - (has_label_ ? 1 : 0);
        if (n_features_ == 0)
            lines_.fail(
                "this line has no features; after the name a line needs at least one number");
        if (n_features_ > kMaxFeatures)
            lines_.fail("this line has {}; at most 100,000 are read",
                        counted(n_features_, "feature"));
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
                lines_.fail("feature {}, {}, {}", f + 1, shown(cells[f + 1]),
                            why_no_number(cells[f + 1]));
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
    Separator separator = Separator::Unknown;
    std::size_t n_unknown = 0;
    while (lines.next()) {
        if (is_comment(lines.line())) continue;
        if (separator == Separator::Unknown) separator = detect_separator(lines.line());
        const auto& names = cells.split(lines.line(), separator);
        if (names.empty()) continue;
        cells.check_quotes(lines);
        if (names.size() != 2)
            lines.fail("this line has {}; it must have two, as in 'cited TAB citing'",
                       counted(names.size(), "name"));
        const auto cited = builder.find_node(names[0]), citing = builder.find_node(names[1]);
        try {
            cited&& citing ? builder.add_edge(*cited, *citing) : void(++n_unknown);
        } catch (const GraphRefusal& refusal) {
            lines.fail(refusal.what());
        }
    }
    if (n_unknown > 0) builder.note(counted(n_unknown, "edge") + " of unknown nodes left out");
}

/// Returns the rows of a table that no node of the graph has taken, by name; "" if there are none.
std::string names_of_others(const std::vector<Node>& rows,
                            const std::unordered_set<std::string_view>& used) {
    constexpr std::size_t kMostNames = 5;
    std::size_t n = 0;
    std::string names;
    for (const Node& row : rows) {
        if (used.contains(row.name)) continue;
        if (n++ < kMostNames) append_part(names, ", ", shown(row.name));
    }
    if (n == 0) return "";
    return fmt::format("{} of nodes that the graph does not have left out: {}{}", counted(n, "row"),
                       names, n > kMostNames ? " …" : "");
}

}  // namespace

bool is_node_table_line(std::string_view line) {
    Cells cells;
    const auto& found = cells.split(line, detect_separator(line));
    if (found.size() < 3) return false;
    for (std::size_t k = 1; k + 1 < found.size(); ++k)
        if (!is_finite_number(found[k])) return false;
    return found.size() > 3 || !is_finite_number(found.back());
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
