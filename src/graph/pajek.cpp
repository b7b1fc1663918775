#include "graph/pajek.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/node_table.h"
#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 5> kPajekGroups = {"group", "community", "class", "club",
                                                          "modularity_class"};

/// Returns the words of a line; one in quotes may have blanks.
std::vector<std::string_view> pajek_words(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t\v\f"), line.size()));
        if (line.empty()) return words;
        const bool is_quoted = line[0] == '"' && line.find('"', 1) != std::string_view::npos;
        const std::size_t begin = is_quoted ? 1 : 0;
        const std::size_t end =
            std::min(is_quoted ? line.find('"', 1) : line.find_first_of(" \t\v\f"), line.size());
        words.push_back(line.substr(begin, end - begin));
        line.remove_prefix(std::min(end + begin, line.size()));
    }
}

class PajekReader {
  public:
    PajekReader(std::string_view text, std::string_view source) : lines_(text, "Pajek", source) {}

    ReadGraph read() {
        try {
            while (lines_.next()) {
                const std::string_view line = trimmed(lines_.line());
                if (line.empty() || line.starts_with('%')) continue;
                line.starts_with('*') ? begin_section(line) : read_line(pajek_words(line));
            }
            if (section_ == Section::Matrix && n_rows_ < builder_.n_nodes())
                lines_.fail("rows of the matrix are missing; the file is incomplete");
            // Nodes without a line of their own are named by their numbers.
            for (std::size_t k = 0; k < is_named_.size(); ++k)
                if (!is_named_[k])
                    columns_.set(static_cast<int>(k), "label", std::to_string(k + 1));
            edges_.add_to(builder_);
            if (!parameters_.empty())
                builder_.note(note_of_no_effect("attribute",
                                                {parameters_.begin(), parameters_.end()}, "nodes"));
            ReadGraph read = builder_.take();
            read.graph.title = title_;
            columns_.apply(read);
            return read;
        } catch (const GraphRefusal& refusal) {
            lines_.fail(refusal.what());
        }
    }

  private:
    enum class Section { None, Vertices, Arcs, Edges, ArcsList, EdgesList, Matrix };

    void begin_section(std::string_view line) {
        const auto words = pajek_words(line);
        const std::string word = ascii_lower(words[0]);
        if (word == "*network") {
            title_ = trimmed(line.substr(words[0].size()));
        } else if (word == "*vertices") {
            add_nodes(words);
            section_ = Section::Vertices;
        } else if (const auto section = section_called(word)) {
            section_ = *section;
        } else {
            lines_.fail("the section {} cannot be read; save one network by itself",
                        shown(words[0]));
        }
    }

    static std::optional<Section> section_called(std::string_view word) {
        if (word == "*arcs") return Section::Arcs;
        if (word == "*edges") return Section::Edges;
        if (word == "*arcslist") return Section::ArcsList;
        if (word == "*edgeslist") return Section::EdgesList;
        if (word == "*matrix") return Section::Matrix;
        return std::nullopt;
    }

    void add_nodes(const std::vector<std::string_view>& words) {
        if (builder_.n_nodes() > 0)
            lines_.fail("there are *Vertices a second time; only one network can be read");
        const auto n = words.size() < 2 ? std::nullopt : whole(words[1]);
        if (!n || *n < 1) lines_.fail("*Vertices must be followed by the number of nodes");
        for (int k = 1; k <= *n; ++k) builder_.add_node(std::to_string(k));
        is_named_.resize(static_cast<std::size_t>(*n));
        if (words.size() > 2)
            builder_.note("a network of two kinds of nodes, which are nodes of one graph here");
    }

    /// Throws GraphRefusal if it is larger than any number of nodes.
    static std::optional<int> whole(std::string_view text) {
        int number = 0;
        const char* end = text.data() + text.size();
        const auto [rest, failure] = std::from_chars(text.data(), end, number);
        if (failure == std::errc::result_out_of_range || number > kMaxNodes)
            throw GraphRefusal("there are more than 200,000 nodes; use a part of the graph");
        return failure != std::errc() || rest != end ? std::nullopt : std::optional(number);
    }

    int node_at(std::string_view text) const {
        const auto number = whole(text);
        if (!number || *number < 1 || *number > builder_.n_nodes())
            lines_.fail("{} is not the number of a node, 1 to {}", shown(text), builder_.n_nodes());
        return *number - 1;
    }

    void read_line(const std::vector<std::string_view>& words) {
        switch (section_) {
            case Section::None:
                lines_.fail("the first line must begin with *Vertices or *Network");
            case Section::Vertices:
                return read_node(words);
            case Section::Arcs:
            case Section::Edges:
                return read_edge(words);
            case Section::ArcsList:
            case Section::EdgesList:
                return read_list(words);
            case Section::Matrix:
                return read_row(words);
        }
    }

    /// Reads number "label" x y z shape, then parameters.
    void read_node(const std::vector<std::string_view>& words) {
        const int node = node_at(words[0]);
        if (words.size() < 2) return;
        if (is_named_[static_cast<std::size_t>(node)])
            lines_.fail("the node {} comes twice; keep one", words[0]);
        is_named_[static_cast<std::size_t>(node)] = true;
        columns_.set(node, "label", std::string(words[1]));
        std::size_t at = 2;
        for (const char* axis : {"x", "y", "z"})
            if (at < words.size() && finite_number(words[at]))
                columns_.set(node, axis, std::string(words[at++]));
        if ((words.size() - at) % 2 == 1) ++at;  // the shape
        for (; at + 1 < words.size(); at += 2) {
            const bool is_group = is_among(words[at], kPajekGroups);
            if (is_group)
                columns_.set(node, words[at], std::string(words[at + 1]));
            else
                parameters_.emplace(words[at]);
        }
    }

    void read_edge(const std::vector<std::string_view>& words) {
        if (words.size() < 2) lines_.fail("this line must have two numbers of nodes");
        const int source = node_at(words[0]), target = node_at(words[1]);
        edges_.begin(source, target, section_ == Section::Arcs ? Directed::Yes : Directed::No);
        if (words.size() > 2) edges_.set("weight", words[2]);
        for (std::size_t k = 3; k + 1 < words.size(); k += 2) edges_.set(words[k], words[k + 1]);
    }

    void read_list(const std::vector<std::string_view>& words) {
        const int source = node_at(words[0]);
        for (std::size_t k = 1; k < words.size(); ++k)
            edges_.begin(source, node_at(words[k]),
                         section_ == Section::ArcsList ? Directed::Yes : Directed::No);
    }

    void read_row(const std::vector<std::string_view>& words) {
        const auto n = static_cast<std::size_t>(builder_.n_nodes());
        if (n_rows_ == builder_.n_nodes() || words.size() != n)
            lines_.fail("this row has {}; the matrix has {} rows and columns",
                        counted(std::int64_t(words.size()), "number"), n);
        for (std::size_t column = 0; column < n; ++column) {
            const auto weight = finite_number(words[column]);
            if (!weight) lines_.fail("{} {}", shown(words[column]), why_no_number(words[column]));
            if (*weight == 0) continue;
            edges_.begin(n_rows_, static_cast<int>(column), Directed::Yes);
            edges_.set_weight(*weight);
        }
        ++n_rows_;
    }

    TextLines lines_;
    GraphBuilder builder_{Directed::No};
    NodeColumns columns_;
    FileEdges edges_;
    Section section_ = Section::None;
    std::string title_;
    std::vector<bool> is_named_;        // nodes with a line of their own
    std::set<std::string> parameters_;  // those that only serve drawing
    int n_rows_ = 0;
};

}  // namespace

bool is_pajek(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
        const std::string first = ascii_lower(trimmed(line).substr(0, 9));
        for (const char* section : {"*network", "*vertices", "*arcs", "*edges", "*matrix"})
            if (first.starts_with(section)) return true;
        if (!first.empty() && !first.starts_with('%')) return false;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return false;
}

ReadGraph read_pajek(std::string_view text, std::string_view source_name) {
    return PajekReader(text, source_name).read();
}

}  // namespace headlight
