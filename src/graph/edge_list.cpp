// Edge lists, line by line.
#include "graph/edge_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "graph/adjacency.h"
#include "graph/dot.h"
#include "graph/foreign_formats.h"
#include "graph/gml.h"
#include "graph/pajek.h"
#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::string_view kGroupComment = "# group ";
constexpr std::string_view kSeparators = " \t,;\r\v\f";

/// Takes the next name off the front of `line`; empty when none is left.
std::string_view take_name(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(kSeparators), line.size()));
    const std::string_view name = line.substr(0, line.find_first_of(kSeparators));
    line.remove_prefix(name.size());
    return name;
}

/// The columns of source, target, weight and type in a line; −1 if there is none.
struct Columns {
    int source = 0, target = 1, weight = 2, type = -1;
};

constexpr std::array<std::string_view, 5> kSourceWords = {"source", "src", "from", "node1",
                                                          "source_id"};
constexpr std::array<std::string_view, 6> kTargetWords = {"target", "dst",   "dest",
                                                          "to",     "node2", "target_id"};
constexpr std::array<std::string_view, 2> kWeightWords = {"weight", "value"};
constexpr std::array<std::string_view, 1> kTypeWords = {"type"};

constexpr std::array<std::string_view, 5> kArrows = {"->", "-->", "=>", "→", "⟶"};
constexpr std::array<std::string_view, 7> kLines = {"--", "-", "<->", "<-->", "↔", "–", "—"};
constexpr std::array<std::string_view, 5> kAssignments = {"=", ":=", "==", "+=", "<-"};

int column_named(const std::vector<std::string_view>& cells,
                 std::span<const std::string_view> words) {
    for (std::size_t k = 0; k < cells.size(); ++k)
        if (is_among(ascii_lower(cells[k]), words)) return static_cast<int>(k);
    return -1;
}

/// Returns the columns if a first line names source and target; else nothing.
std::optional<Columns> named_columns(const std::vector<std::string_view>& cells) {
    const Columns columns{column_named(cells, kSourceWords), column_named(cells, kTargetWords),
                          column_named(cells, kWeightWords), column_named(cells, kTypeWords)};
    return columns.source < 0 || columns.target < 0 ? std::nullopt : std::optional(columns);
}

/// Returns the direction in a cell of the column "type"; nothing if it has another text.
std::optional<Directed> direction_in(std::string_view cell) {
    const std::string word = ascii_lower(cell);
    if (word == "directed") return Directed::Yes;
    if (word == "undirected" || word == "mutual") return Directed::No;
    return std::nullopt;
}

/// True if the first line has names of columns that are not known: two words over two numbers in
/// every line, of which there are at least two.
bool has_unknown_columns(std::string_view text, std::string_view source_name) {
    TableLines lines(text, "edge list", source_name);
    if (!lines.next() || lines.cells().size() < 2 || lines.cells().size() > 3) return false;
    for (const std::string_view cell : lines.cells())
        if (cell.empty() || is_finite_number(cell)) return false;
    int n_lines = 0;
    while (lines.next()) {
        const auto& cells = lines.cells();
        if (cells.size() < 2 || !is_finite_number(cells[0]) || !is_finite_number(cells[1]))
            return false;
        ++n_lines;
    }
    return n_lines >= 2;
}

/// A line and the data in braces at its end, if there are some.
struct EdgeLine {
    std::string_view names, data;
};

EdgeLine edge_line(std::string_view line) {
    const std::string_view text = trimmed(line);
    const std::size_t begin = text.find('{');
    const bool has_data = text.ends_with('}') && begin != std::string_view::npos && begin > 0 &&
                          kSeparators.find(text[begin - 1]) != std::string_view::npos;
    if (!has_data) return {line, {}};
    return {trimmed(text.substr(0, begin)), text.substr(begin)};
}

/// Returns the separator of a line. The one between names may also precede data: in "c d,e {}" it
/// is the blank.
Separator separator_of(const EdgeLine& line) {
    const Separator detected = detect_separator(line.names);
    if (line.data.empty() || detected == Separator::Tab) return detected;
    Cells cells;
    const std::vector<std::string_view>& by_blanks = cells.split(line.names, Separator::Blank);
    return by_blanks.size() > 1 && find_doubtful(by_blanks).empty() ? Separator::Blank : detected;
}

/// The items of a dictionary as Python and JSON write it: {'weight': 4, "kind": [1, 2]}.
class DictionaryItems {
  public:
    explicit DictionaryItems(std::string_view text) : rest_(text.substr(1)) {}

    /// Goes to the next item; false at the end, and if the rest is none.
    bool next() {
        skip(" \t,");
        if (rest_.size() <= 1 && rest_ == "}") return false;
        is_well_formed_ = take_text(key) && skip(" \t").starts_with(':');
        if (!is_well_formed_) return false;
        rest_.remove_prefix(1);
        skip(" \t");
        if (!take_text(value)) take_bare_value();
        return true;
    }
    bool is_well_formed() const { return is_well_formed_; }

    std::string_view key, value;

  private:
    std::string_view skip(std::string_view characters) {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(characters), rest_.size()));
        return rest_;
    }

    bool take_text(std::string_view& into) {
        if (!rest_.starts_with('\'') && !rest_.starts_with('"')) return false;
        std::size_t end = 1;
        while (end < rest_.size() && rest_[end] != rest_[0]) end += rest_[end] == '\\' ? 2 : 1;
        if (end >= rest_.size()) return false;
        into = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return true;
    }

    /// Takes a value up to the next comma or } that is not in brackets; without "np.float64(" and
    /// ")".
    void take_bare_value() {
        int depth = 0;
        std::size_t end = 0;
        for (; end < rest_.size(); ++end) {
            const char c = rest_[end];
            if (depth == 0 && (c == ',' || c == '}')) break;
            depth += c == '(' || c == '[' || c == '{'   ? 1
                     : c == ')' || c == ']' || c == '}' ? -1
                                                        : 0;
        }
        value = trimmed(rest_.substr(0, end));
        if (value.starts_with("np.") && value.ends_with(')'))
            value = value.substr(value.find('(') + 1, value.size() - value.find('(') - 2);
        rest_.remove_prefix(end);
    }

    std::string_view rest_;
    bool is_well_formed_ = true;
};

bool has_open_bracket(std::string_view cell) {
    for (const std::string_view pair : {"()", "[]", "{}"})
        if (std::ranges::count(cell, pair[0]) != std::ranges::count(cell, pair[1])) return true;
    return false;
}

/// True for "a--b" and "a -> b" in one cell.
bool has_arrow_inside(std::string_view cell, bool is_only_one) {
    for (const std::string_view arrow : {"->", "--", "=>", "→"}) {
        const std::size_t at = cell.find(arrow);
        if (at == std::string_view::npos || at == 0 || at + arrow.size() == cell.size()) continue;
        if (is_only_one || cell[at - 1] == ' ') return true;
    }
    return false;
}

/// True of a cell of several words with a full stop.
bool is_sentence(std::string_view cell) {
    const bool has_stop = cell.ends_with('.') || cell.find(". ") != std::string_view::npos;
    return has_stop && std::ranges::count(cell, ' ') > 4;
}

/// Says why a line does not look like one of an edge list; "" if it does.
std::string why_no_edge(const std::vector<std::string_view>& cells) {
    for (const std::string_view cell : cells) {
        if (has_arrow_inside(cell, cells.size() == 1))
            return fmt::format(
                "{} would be one name; write two names, with nothing but a blank or a comma "
                "between them",
                shown(cell));
        if (is_sentence(cell))
            return fmt::format("{} is a sentence rather than a name", shown(cell));
        if (has_open_bracket(cell))
            return fmt::format(
                "{} has a bracket without its partner, as in a list, a dictionary or a program; "
                "write two names on a line, without brackets",
                shown(cell));
    }
    if (cells.size() > 1 && is_among(cells[1], kAssignments))
        return fmt::format("{} stands between two names, as in a program", shown(cells[1]));
    const bool is_item = cells.size() > 1 && cells[0] == "-";
    if (is_item || (cells.size() == 1 && cells[0].size() > 1 && cells[0].ends_with(':')))
        return fmt::format("{} begins this line, as in YAML", shown(cells[0]));
    return "";
}

/// Lines "1 pp 2" that have weights by their form, but could be SIF: a number, a word, a number.
class PerhapsSif {
  public:
    void add(const std::vector<std::string_view>& cells) {
        is_so_ = is_so_ && cells.size() == 3 && is_finite_number(cells[0]) &&
                 !is_finite_number(cells[1]) && is_finite_number(cells[2]);
        if (!is_so_) return;
        sources_.emplace(cells[0]);
        words_.emplace(cells[1]);
        weights_.emplace(cells[2]);
    }

    /// True if SIF is likely: weights are nodes as well, and there are more of them than of words.
    bool is_likely() const {
        return is_so_ && words_.size() < weights_.size() &&
               std::ranges::any_of(weights_,
                                   [&](const auto& weight) { return sources_.contains(weight); });
    }

  private:
    bool is_so_ = true;
    std::set<std::string, std::less<>> sources_, words_, weights_;
};

class EdgeListReader {
  public:
    EdgeListReader(std::string_view text, Directed directed, std::string_view source_name)
        : text_(text),
          source_name_(source_name),
          directed_(directed),
          lines_(text, "edge list", source_name),
          builder_(directed) {}

    ReadGraph read() {
        try {
            while (lines_.next()) read_line(lines_.line());
            if (has_directions()) edges_.add_to(builder_);
            set_groups();
        } catch (const GraphRefusal& refusal) {
            lines_.fail(refusal.what());
        }
        check_whole();
        note_what_is_left_out();
        return builder_.take();
    }

  private:
    void read_line(std::string_view line) {
        if (line.starts_with(kGroupComment)) group_comments_.push_back(line);
        if (is_comment(line)) return;
        const EdgeLine edge = header_.empty() ? edge_line(line) : EdgeLine{line, {}};
        if (separator_ == Separator::Unknown) separator_ = separator_of(edge);
        std::vector<std::string_view> cells = cells_.split(edge.names, separator_);
        if (cells.empty()) return;
        cells_.check_quotes(lines_);
        check_separators(lines_, cells, separator_);
        if (!std::exchange(is_begun_, true) && read_header(cells)) return;
        if (header_.empty() && line.find('"') == std::string_view::npos)
            if (const std::string why = why_no_edge(cells); !why.empty())
                lines_.fail(
                    "{}; if this is an edge list, name its columns in a first line: source target",
                    why);
        const auto direction = take_direction(cells);
        if (direction.has_value() || !edge.data.empty()) perhaps_sif_ = false;
        if (perhaps_sif_) sif_.add(cells);
        read_edge(cells, edge.data, direction);
    }

    bool read_header(const std::vector<std::string_view>& cells) {
        const auto columns = named_columns(cells);
        if (!columns && cells.size() > 1 && ascii_lower(cells[0]) == "id" &&
            ascii_lower(cells[1]) == "label")
            lines_.fail(
                "the first line names columns of nodes, 'Id' and 'Label'; open the table of edges, "
                "whose first line names source and target");
        is_first_line_word_ = !columns && has_unknown_columns(text_, source_name_);
        if (!columns && !is_first_line_word_) return false;
        header_.assign(cells.begin(), cells.end());
        has_content_.resize(header_.size());
        if (columns) columns_ = *columns;
        perhaps_sif_ = false;
        return true;
    }

    /// Returns the direction that the line gives the edge; takes an arrow out of the cells.
    std::optional<Directed> take_direction(std::vector<std::string_view>& cells) {
        if (!header_.empty()) {
            const auto direction = direction_in(cell(cells, columns_.type));
            if (n_edge_lines_ == 0 && !direction) columns_.type = -1;
            if (columns_.type >= 0 && !direction)
                lines_.fail("the type of an edge is {}; it can be Directed or Undirected",
                            shown(cell(cells, columns_.type)));
            return direction;
        }
        if (cells.size() < 2) return std::nullopt;
        const bool is_arrow = is_among(cells[1], kArrows);
        const bool has_arrow = cells.size() > 2 && (is_arrow || is_among(cells[1], kLines));
        if (n_edge_lines_ == 0) has_arrows_ = has_arrow;
        if (has_arrow != has_arrows_)
            lines_.fail(
                "all lines or none must have an arrow or a line between the names, as in 'a -> b'");
        if (!has_arrow) return std::nullopt;
        cells.erase(cells.begin() + 1);
        return is_arrow ? Directed::Yes : Directed::No;
    }

    bool has_directions() const { return has_arrows_ || columns_.type >= 0; }

    void read_edge(const std::vector<std::string_view>& cells, std::string_view data,
                   std::optional<Directed> direction) {
        if (header_.empty() && cells.size() > 3)
            lines_.fail(
                "this line has {}; it can have two names and a weight, unless the first line names "
                "the columns source, target and weight",
                counted(std::int64_t(cells.size()), "column"));
        if (!header_.empty() && cells.size() > header_.size())
            lines_.fail("this line has {}, but the first line names {}: {}",
                        counted(std::int64_t(cells.size()), "cell"),
                        counted(std::int64_t(header_.size()), "column"),
                        joined_few(header_, std::size_t{8}, shown));
        const std::string_view source = cell(cells, columns_.source);
        const std::string_view target = cell(cells, columns_.target);
        if (source.empty())
            lines_.fail(
                "the first name is empty; write two names, or one name for a node without edges");
        const int from = builder_.node_named(source);
        if (target.empty() && has_weight(cells))
            lines_.fail("the second name is empty, but there is a weight; write both names");
        if (target.empty() && !data.empty())
            lines_.fail(
                "there is one name before the data {}, as in a multiline adjacency list; write "
                "two, as networkx.write_edgelist does",
                shown(data));
        for (std::size_t k = 0; k < std::min(cells.size(), has_content_.size()); ++k)
            has_content_[k] = has_content_[k] || !cells[k].empty();
        if (target.empty()) return;
        ++n_edge_lines_;
        const int to = builder_.node_named(target);
        const float weight = data.empty() ? weight_in(cells) : weight_in_data(data);
        if (!has_directions()) return builder_.add_edge(from, to, weight);
        edges_.begin(from, to, direction.value_or(directed_));
        edges_.set_weight(weight);
    }

    static std::string_view cell(const std::vector<std::string_view>& cells, int column) {
        const auto at = static_cast<std::size_t>(column);
        return column < 0 || at >= cells.size() ? std::string_view() : cells[at];
    }

    bool has_weight(const std::vector<std::string_view>& cells) const {
        return !cell(cells, columns_.weight).empty();
    }

    float weight_in(const std::vector<std::string_view>& cells) const {
        if (!has_weight(cells)) return 1;
        const std::string_view text = cell(cells, columns_.weight);
        if (text == "{}") return 1;  // NetworkX: no attributes
        const auto weight = finite_number(text);
        if (!weight) fail_weight(text);
        return *weight;
    }

    [[noreturn]] void fail_weight(std::string_view text) const {
        constexpr std::array<std::string_view, 3> kNoNumbers = {"nan", "inf", "infinity"};
        const bool is_meant_as_number =
            std::string_view("0123456789+-.").find(text[0]) != std::string_view::npos ||
            is_among(ascii_lower(text), kNoNumbers);
        const std::string why = why_no_number(text);
        if (is_unusable_number(text) && is_meant_as_number &&
            !is_among(ascii_lower(text), kNoNumbers))
            lines_.fail("the weight {} {}", shown(text), why);
        const std::string_view advice =
            header_.empty() && !is_meant_as_number
                ? "; if the second cell is the kind of an edge, call the file .sif; if the third "
                  "one is, name the columns in a first line: source, target, kind"
                : "; write it with a decimal point, such as 0.5";
        lines_.fail("the weight {} {}{}", shown(text), why, advice);
    }

    float weight_in_data(std::string_view data) {
        std::optional<std::string_view> weight, value;
        DictionaryItems items(data);
        while (items.next()) {
            const std::string key = ascii_lower(items.key);
            if (key == "weight")
                weight = items.value;
            else if (key == "value" && is_finite_number(items.value))
                value = items.value;
            else
                attributes_.emplace(items.key);
        }
        if (!items.is_well_formed())
            lines_.fail("the data {} cannot be read; they must be like {{'weight': 0.5}}",
                        shown(data));
        const std::string_view text = weight.value_or(value.value_or("1"));
        const auto number = finite_number(text);
        if (!number) lines_.fail("the weight {} {}", shown(text), why_no_number(text));
        return *number;
    }

    void check_whole() const {
        if (builder_.n_nodes() == 0)
            lines_.fail_whole(
                "there are no nodes; write two names on a line, or one name for a node without "
                "edges");
        if (perhaps_sif_ && sif_.is_likely())
            lines_.fail_whole(
                "the lines could be SIF, 'node kind node', or edges with weights; call the file "
                ".sif, or name the columns in a first line: source target weight");
    }

    void note_what_is_left_out() {
        if (is_first_line_word_)
            builder_.note("the first line, " + joined(header_, ", ", shown) +
                          ", taken for names of columns");
        std::vector<std::string> columns;
        for (std::size_t k = 0; k < header_.size(); ++k) {
            const auto column = static_cast<int>(k);
            const bool is_used = column == columns_.source || column == columns_.target ||
                                 column == columns_.weight || column == columns_.type;
            if (!is_used && has_content_[k]) columns.push_back(header_[k]);
        }
        if (!columns.empty()) builder_.note(note_of_no_effect("column", columns, "edges"));
        if (!attributes_.empty())
            builder_.note(note_of_no_effect(
                "attribute", std::vector(attributes_.begin(), attributes_.end()), "edges"));
    }

    /// Sets the groups at the end, when every node is known.
    void set_groups() {
        for (std::string_view comment : group_comments_) {
            comment.remove_prefix(kGroupComment.size());
            int group = 0;
            const char* end = comment.data() + comment.size();
            const auto [rest, failure] = std::from_chars(comment.data(), end, group);
            if (failure != std::errc() || group <= 0 || rest == end || *rest != ':') continue;
            comment.remove_prefix(static_cast<std::size_t>(rest + 1 - comment.data()));
            for (auto name = take_name(comment); !name.empty(); name = take_name(comment))
                if (const auto node = builder_.find_node(name)) builder_.node(*node).group = group;
        }
    }

    std::string_view text_, source_name_;
    Directed directed_;
    TextLines lines_;
    GraphBuilder builder_;
    FileEdges edges_;  // if lines name the direction
    Cells cells_;
    Columns columns_;
    Separator separator_ = Separator::Unknown;
    bool is_begun_ = false, is_first_line_word_ = false, has_arrows_ = false, perhaps_sif_ = true;
    int n_edge_lines_ = 0;
    PerhapsSif sif_;
    std::vector<std::string> header_;  // names of columns
    std::vector<bool> has_content_;    // of these columns
    std::set<std::string, std::less<>> attributes_;
    std::vector<std::string_view> group_comments_;
};

std::string number_text(float number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

void check_names(const Graph& graph) {
    for (const Node& node : graph.nodes) {
        std::string_view rest = node.name;
        const bool is_one_name = !rest.empty() && take_name(rest) == node.name;
        const bool has_line_end = node.name.find_first_of({"\n\0", 2}) != std::string::npos;
        const bool is_mark =
            is_comment(node.name) ||
            (node.name.starts_with('"') && std::ranges::count(node.name, '"') % 2 == 1) ||
            node.name.starts_with("\xEF\xBB\xBF");
        if (!is_one_name || has_line_end || is_mark || !is_utf8(node.name))
            throw Error("edge list",
                        "the node name \"{}\" cannot be written; use a name without white space, "
                        "comma or semicolon that does not begin with #, % or a quote",
                        node.name);
    }
}

/// True if the text can only be read as the graph.
bool is_read_back(const std::string& text, const Graph& graph) {
    try {
        for (const auto is_of_format :
             {is_adjacency_matrix, is_adjacency_list, is_gml, is_dot, is_pajek, is_graph6,
              is_ucinet, is_dimacs, is_metis, is_yaml, is_python})
            if (is_of_format(text)) return false;
        if (text.starts_with('<')) return false;  // XML
        const Graph read =
            read_edge_list(text, graph.directed ? Directed::Yes : Directed::No, "edge list").graph;
        return read.edges == graph.edges &&
               std::ranges::equal(read.nodes, graph.nodes, {}, &Node::name, &Node::name);
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

bool has_named_columns(std::string_view text) {
    TableLines lines(text, "edge list", "");
    return lines.next() && named_columns(lines.cells());
}

ReadGraph read_edge_list(std::string_view text, Directed directed, std::string_view source_name) {
    return EdgeListReader(text, directed, source_name).read();
}

std::string write_edge_list(const Graph& graph) {
    check_names(graph);
    const auto& nodes = graph.nodes;
    std::string text;
    const bool has_weights = graph.has_weights();
    int n_written = 0;  // nodes 0 … n_written − 1 have appeared
    const auto write_nodes_before = [&](int end) {
        for (; n_written < end; ++n_written) text += nodes[n_written].name + "\n";
    };
    for (const auto& [source, target, weight] : graph.edges) {
        // The edge itself may bring in the next node or the next two, in their order.
        const bool brings_in_two = source == n_written && target == source + 1;
        if (!brings_in_two) write_nodes_before(std::max(source, target));
        n_written = std::max({n_written, source + 1, target + 1});
        text += fmt::format("{} {}", nodes[source].name, nodes[target].name);
        if (has_weights) text += " " + number_text(weight);
        text += "\n";
    }
    write_nodes_before(static_cast<int>(nodes.size()));

    // An edge from a node called "source" to "target" would be taken for the names of columns.
    if (!nodes.empty() && !is_read_back(text, graph))
        text.insert(0, has_weights ? "source target weight\n" : "source target\n");

    std::map<int, std::string> group_members;
    for (const Node& node : nodes)
        if (node.group > 0) group_members[node.group] += " " + node.name;
    for (const auto& [group, members] : group_members)
        text += fmt::format("{}{}:{}\n", kGroupComment, group, members);
    return text;
}

}  // namespace headlight
