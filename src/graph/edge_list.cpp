// Edge lists, line by line.
#include "graph/edge_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
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

/// Where a line has what; −1 where it has none.
struct Columns {
    int source = 0, target = 1, weight = 2;
};

constexpr std::array<std::string_view, 5> kSourceWords = {"source", "src", "from", "node1",
                                                          "source_id"};
constexpr std::array<std::string_view, 6> kTargetWords = {"target", "dst",   "dest",
                                                          "to",     "node2", "target_id"};
constexpr std::array<std::string_view, 2> kWeightWords = {"weight", "value"};

int column_named(const std::vector<std::string_view>& cells,
                 std::span<const std::string_view> words) {
    for (std::size_t k = 0; k < cells.size(); ++k)
        if (std::ranges::find(words, ascii_lower(cells[k])) != words.end())
            return static_cast<int>(k);
    return -1;
}

/// What a first line says that names source and target; else nothing.
std::optional<Columns> named_columns(const std::vector<std::string_view>& cells) {
    const Columns columns{column_named(cells, kSourceWords), column_named(cells, kTargetWords),
                          column_named(cells, kWeightWords)};
    return columns.source < 0 || columns.target < 0 ? std::nullopt : std::optional(columns);
}

class EdgeListReader {
  public:
    EdgeListReader(std::string_view text, Directed directed, std::string_view source_name)
        : lines_(text, "edge list", source_name), builder_(directed) {}

    ReadGraph read() {
        try {
            while (lines_.next()) read_line(lines_.line());
            set_groups();
        } catch (const GraphRefusal& refusal) {
            lines_.fail(refusal.what());
        }
        if (builder_.n_nodes() == 0)
            lines_.fail_whole(
                "there are no nodes; write two names on a line, or one name for a node without "
                "edges");
        return builder_.take();
    }

  private:
    void read_line(std::string_view line) {
        if (line.starts_with(kGroupComment)) group_comments_.push_back(line);
        if (is_comment(line)) return;
        if (separator_ == Separator::Unknown) separator_ = detect_separator(line);
        const std::vector<std::string_view>& cells = cells_.split(line, separator_);
        if (cells.empty()) return;
        if (!std::exchange(is_begun_, true) && read_header(cells)) return;
        read_edge(cells);
    }

    bool read_header(const std::vector<std::string_view>& cells) {
        if (const auto columns = named_columns(cells)) columns_ = *columns, has_header_ = true;
        return has_header_;
    }

    void read_edge(const std::vector<std::string_view>& cells) {
        if (!has_header_ && cells.size() > 3)
            lines_.fail(
                "this line has {}; it can have two names and a weight, unless the first line names "
                "the columns source, target and weight",
                counted(cells.size(), "column"));
        const std::string_view source = cell(cells, columns_.source);
        const std::string_view target = cell(cells, columns_.target);
        if (source.empty())
            lines_.fail(
                "the first name is empty; write two names, or one name for a node without edges");
        const int from = builder_.node_named(source);
        if (target.empty() && has_weight(cells))
            lines_.fail("the second name is empty, but there is a weight; write both names");
        if (!target.empty()) builder_.add_edge(from, builder_.node_named(target), weight_in(cells));
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
        if (!weight)
            lines_.fail(
                "the weight {} is not a finite number; write it with a decimal point, such as 0.5",
                shown(text));
        return *weight;
    }

    /// Only now is every node known.
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

    TextLines lines_;
    GraphBuilder builder_;
    Cells cells_;
    Columns columns_;
    Separator separator_ = Separator::Unknown;
    bool is_begun_ = false, has_header_ = false;
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
        const bool is_mark = is_comment(node.name) || node.name.starts_with("\xEF\xBB\xBF");
        if (!is_one_name || has_line_end || is_mark || !is_utf8(node.name))
            throw Error("edge list",
                        "the node name \"{}\" cannot be written; use a name without white space, "
                        "comma or semicolon that does not begin with # or %",
                        node.name);
    }
}

}  // namespace

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
    if (named_columns(Cells().split(text.substr(0, text.find('\n')), Separator::Blank)))
        text.insert(0, has_weights ? "source target weight\n" : "source target\n");

    std::map<int, std::string> group_members;
    for (const Node& node : nodes)
        if (node.group > 0) group_members[node.group] += " " + node.name;
    for (const auto& [group, members] : group_members)
        text += fmt::format("{}{}:{}\n", kGroupComment, group, members);
    return text;
}

}  // namespace headlight
