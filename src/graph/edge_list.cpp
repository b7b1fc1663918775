// Edge lists, line by line. Names stay views into the text until they become nodes.
#include "graph/edge_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/error.h"

namespace headlight {
namespace {

constexpr std::string_view kSeparators = " \t,;\r\v\f";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kGroupComment = "# group ";

/// Number of bytes of the UTF-8 sequence at the start of `text`, 0 if it is none.
std::size_t utf8_sequence_bytes(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    if (byte(0) < 0x80) return 1;
    const std::size_t n_bytes = byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < n_bytes) return 0;
    for (std::size_t k = 1; k < n_bytes; ++k)
        if ((byte(k) & 0xC0) != 0x80) return 0;
    const bool is_overlong =
        (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
    const bool is_surrogate = byte(0) == 0xED && byte(1) > 0x9F;
    const bool is_too_large = byte(0) == 0xF4 && byte(1) > 0x8F;
    return is_overlong || is_surrogate || is_too_large ? 0 : n_bytes;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t n_bytes = utf8_sequence_bytes(text);
        if (n_bytes == 0) return false;
        text.remove_prefix(n_bytes);
    }
    return true;
}

/// Takes the next name off the front of `line`; empty when none is left.
std::string_view take_name(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(kSeparators), line.size()));
    const std::string_view name = line.substr(0, line.find_first_of(kSeparators));
    line.remove_prefix(name.size());
    return name;
}

class EdgeListParser {
  public:
    EdgeListParser(Directed directed, std::string_view source_name) : source_name_(source_name) {
        parsed_.graph.directed = directed == Directed::Yes;
    }

    ParsedEdgeList parse(std::string_view text) {
        if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            ++line_number_;
            check_characters(line);
            read_line(line);
        }
        if (parsed_.graph.nodes.empty())
            throw Error("edge list", std::string(source_name_) +
                                         ": no nodes; write two names a line, or one name alone");
        set_groups();
        return std::move(parsed_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error("edge list",
                    std::string(source_name_) + ":" + std::to_string(line_number_) + ": " + what);
    }

    void check_characters(std::string_view line) const {
        if (line.find('\0') != std::string_view::npos)
            fail("a NUL byte; an edge list is plain text");
        if (!is_utf8(line)) fail("not valid UTF-8; save the file as UTF-8");
    }

    void read_line(std::string_view line) {
        if (line.starts_with(kGroupComment)) group_comments_.push_back(line);
        std::array<std::string_view, 2> names;
        std::size_t n_names = 0;
        for (auto name = take_name(line); !name.empty(); name = take_name(line)) {
            if (name.starts_with('#')) break;
            if (n_names == names.size())
                fail("more than two names on a line; write one edge a line, without weights");
            names[n_names++] = name;
        }
        if (n_names == 0) return;
        const int source = node_named(names[0]);
        if (n_names == 2) add_edge(source, node_named(names[1]));
    }

    int node_named(std::string_view name) {
        std::vector<Node>& nodes = parsed_.graph.nodes;
        const auto [entry, is_new] = index_of_.try_emplace(name, static_cast<int>(nodes.size()));
        if (!is_new) return entry->second;
        if (nodes.size() == kMaxNodes) fail("more than 200,000 nodes; take a part of the graph");
        nodes.push_back({std::string(name), 0, 0, 0});
        return entry->second;
    }

    void add_edge(int source, int target) {
        auto [low, high] = std::pair(source, target);
        if (!parsed_.graph.directed && low > high) std::swap(low, high);
        const auto key = static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
        if (!known_edges_.insert(key).second) {
            ++parsed_.notes.n_duplicates;
            return;
        }
        if (parsed_.graph.edges.size() == kMaxEdges)
            fail("more than 2,000,000 edges; take a part of the graph");
        parsed_.graph.edges.push_back({source, target});
        if (source == target) ++parsed_.notes.n_self_edges;
    }

    /// Only now is every node known.
    void set_groups() {
        for (std::string_view comment : group_comments_) {
            comment.remove_prefix(kGroupComment.size());
            int group = 0;
            const char* end = comment.data() + comment.size();
            const auto [rest, failure] = std::from_chars(comment.data(), end, group);
            if (failure != std::errc() || group <= 0 || rest == end || *rest != ':') continue;
            comment.remove_prefix(rest + 1 - comment.data());
            for (auto name = take_name(comment); !name.empty(); name = take_name(comment))
                if (const auto found = index_of_.find(name); found != index_of_.end())
                    parsed_.graph.nodes[found->second].group = group;
        }
    }

    std::string_view source_name_;
    int line_number_ = 0;
    ParsedEdgeList parsed_;
    std::unordered_map<std::string_view, int> index_of_;
    std::unordered_set<std::uint64_t> known_edges_;
    std::vector<std::string_view> group_comments_;
};

void check_names(const Graph& graph) {
    for (const Node& node : graph.nodes) {
        std::string_view rest = node.name;
        const bool is_one_name = !rest.empty() && take_name(rest) == node.name;
        const bool has_line_end = node.name.find_first_of({"\n\0", 2}) != std::string::npos;
        if (!is_one_name || has_line_end || node.name.starts_with('#') ||
            node.name.starts_with(kByteOrderMark) || !is_utf8(node.name))
            throw Error("edge list", "the node name \"" + node.name +
                                         "\" cannot be written; use a name without white space, "
                                         "comma or semicolon that does not begin with #");
    }
}

std::string counted(int count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

ParsedEdgeList parse_edge_list(std::string_view text, Directed directed,
                               std::string_view source_name) {
    return EdgeListParser(directed, source_name).parse(text);
}

std::string notes_text(const EdgeListNotes& notes) {
    std::string text;
    if (notes.n_duplicates > 0) text = counted(notes.n_duplicates, "duplicate edge") + " left out";
    if (notes.n_self_edges > 0) {
        if (!text.empty()) text += ", ";
        text += counted(notes.n_self_edges, "self-edge");
    }
    return text;
}

std::string write_edge_list(const Graph& graph) {
    check_names(graph);
    const auto& nodes = graph.nodes;
    std::string text;
    int n_written = 0;  // nodes 0 … n_written − 1 have appeared
    const auto write_nodes_before = [&](int end) {
        for (; n_written < end; ++n_written) text += nodes[n_written].name + "\n";
    };
    for (const auto& [source, target] : graph.edges) {
        // The edge itself may bring in the next node or the next two, in their order.
        const bool brings_in_two = source == n_written && target == source + 1;
        if (!brings_in_two) write_nodes_before(std::max(source, target));
        n_written = std::max({n_written, source + 1, target + 1});
        text += nodes[source].name + " " + nodes[target].name + "\n";
    }
    write_nodes_before(static_cast<int>(nodes.size()));

    std::map<int, std::string> group_members;
    for (const Node& node : nodes)
        if (node.group > 0) group_members[node.group] += " " + node.name;
    for (const auto& [group, members] : group_members)
        text += std::string(kGroupComment) + std::to_string(group) + ":" + members + "\n";
    return text;
}

}  // namespace headlight
