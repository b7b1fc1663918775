#include "graph/dot.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/node_table.h"
#include "graph/text_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::string_view kDotBlanks = " \t\r\n\v\f";

/// The attributes of nodes and edges that say how Graphviz draws them.
constexpr std::array<std::string_view, 60> kGraphvizAttributes = {
    "shape",       "color",      "fillcolor",    "fontcolor",  "fontname",      "fontsize",
    "style",       "width",      "height",       "fixedsize",  "margin",        "penwidth",
    "peripheries", "sides",      "skew",         "distortion", "orientation",   "regular",
    "rects",       "vertices",   "xlabel",       "xlp",        "image",         "imagescale",
    "imagepos",    "tooltip",    "url",          "href",       "target",        "rank",
    "ordering",    "pin",        "labelloc",     "nojustify",  "gradientangle", "colorscheme",
    "comment",     "layer",      "samplepoints", "showboxes",  "sortv",         "arrowhead",
    "arrowtail",   "arrowsize",  "dir",          "headport",   "tailport",      "headlabel",
    "taillabel",   "constraint", "decorate",     "minlen",     "len",           "lhead",
    "ltail",       "samehead",   "sametail",     "lp",         "head_lp",       "tail_lp"};

using Nodes = std::vector<int>;
using Attributes = std::vector<std::pair<std::string, std::string>>;

class DotReader {
  public:
    DotReader(std::string_view text, std::string_view source) : scanner_(text, "DOT", source) {}

    ReadGraph read() {
        try {
            read_head();
            read_statements(0);
            skip_blanks();
            if (!scanner_.is_at_end())
                scanner_.fail("there is more after the graph; only one can be read");
            edges_.add_to(builder_);
            ReadGraph read = builder_.take();
            apply_attributes(read);
            return read;
        } catch (const GraphRefusal& refusal) {
            scanner_.fail(refusal.what());
        }
    }

  private:
    void skip_blanks() {
        while (true) {
            scanner_.skip(kDotBlanks);
            if (scanner_.is_here("//") || scanner_.is_here("#")) {
                scanner_.take_until("\r\n");
            } else if (scanner_.take_if("/*")) {
                const std::size_t end = scanner_.rest().find("*/");
                if (end == std::string_view::npos) scanner_.fail("a comment is not closed by */");
                scanner_.take(end + 2);
            } else {
                return;
            }
        }
    }

    bool take_if(std::string_view mark) {
        skip_blanks();
        return scanner_.take_if(mark);
    }

    void expect(std::string_view mark) {
        if (!take_if(mark)) fail_here(fmt::format("{} is missing", mark));
    }

    [[noreturn]] void fail_here(const std::string& what) const {
        const std::string_view rest = scanner_.rest();
        const std::string_view here = rest.substr(0, rest.find_first_of(" \t\r\n;{}[]"));
        scanner_.fail(what + (rest.empty()
                                  ? " at the end of the file"
                                  : " before " + shown(here.empty() ? rest.substr(0, 1) : here)));
    }

    /// Reads a name, a number or a text; returns nothing if something else is here.
    std::optional<std::string> find_id() {
        skip_blanks();
        if (scanner_.is_here("\"")) return take_texts();
        if (scanner_.is_here("<")) return take_html();
        std::size_t size = 0;
        const std::string_view rest = scanner_.rest();
        while (size < rest.size() && is_of_id(rest, size)) ++size;
        if (size == 0) return std::nullopt;
        return std::string(scanner_.take(size));
    }

    /// True of letters, digits, _ and any UTF-8; a number may have a sign and a point.
    static bool is_of_id(std::string_view text, std::size_t at) {
        const char c = text[at];
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_sign = c == '-' && at == 0 && text.size() > 1 &&
                             ((text[1] >= '0' && text[1] <= '9') || text[1] == '.');
        return is_digit || is_sign || c == '.' || c == '_' || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
    }

    std::string id() {
        auto found = find_id();
        if (!found) fail_here("a name is missing");
        return *std::move(found);
    }

    /// Reads "a" + "b", with \" for a quotation mark and line ends after \.
    std::string take_texts() {
        std::string text;
        do {
            expect("\"");
            while (!scanner_.is_here("\"")) {
                text += scanner_.take_until("\"\\");
                if (scanner_.is_at_end()) scanner_.fail("a text is not closed by a quotation mark");
                if (!scanner_.is_here("\\")) continue;
                if (scanner_.take_if("\\\"")) {
                    text += '"';
                } else if (!scanner_.take_if("\\\r\n") && !scanner_.take_if("\\\n")) {
                    text += scanner_.take(2);
                }
            }
            scanner_.take(1);
        } while (take_if("+"));
        return text;
    }

    std::string take_html() {
        const std::string_view rest = scanner_.rest();
        int depth = 0;
        for (std::size_t at = 0; at < rest.size(); ++at) {
            depth += rest[at] == '<' ? 1 : rest[at] == '>' ? -1 : 0;
            if (depth == 0) return std::string(scanner_.take(at + 1));
        }
        scanner_.fail("a text in < > is not closed");
    }

    void read_head() {
        std::string word = ascii_lower(id());
        if (word == "strict") word = ascii_lower(id());
        if (word != "graph" && word != "digraph")
            scanner_.fail(fmt::format("{} stands where 'graph' or 'digraph' must be", shown(word)));
        directed_ = word == "digraph" ? Directed::Yes : Directed::No;
        builder_.set_directed(directed_);
        find_id();
        expect("{");
    }

    /// Reads up to the closing brace; returns the nodes that occur there.
    Nodes read_statements(int depth) {
        constexpr int kMostLevels = 64;
        if (depth == kMostLevels) scanner_.fail("nested too deep; at most 64 levels are read");
        Nodes all;
        const std::string weight = default_weight_;
        while (!take_if("}")) {
            if (take_if(";") || take_if(",")) continue;
            const Nodes nodes = read_statement(depth);
            all.insert(all.end(), nodes.begin(), nodes.end());
        }
        default_weight_ = weight;
        return all;
    }

    Nodes read_statement(int depth) {
        skip_blanks();
        std::optional<std::string> name;
        const bool is_quoted = scanner_.is_here("\"");
        if (!scanner_.is_here("{")) name = id();
        const std::string word = name && !is_quoted ? ascii_lower(*name) : "";
        if (word == "graph" || word == "node" || word == "edge") {
            for (const auto& [key, value] : read_attributes())
                if (word == "edge" && key == "weight") default_weight_ = value;
            return {};
        }
        if (name && word != "subgraph" && take_if("=")) {
            id();
            return {};
        }
        Nodes nodes = name && word != "subgraph" ? Nodes{node_called(*name)} : read_subgraph(depth);
        return read_edges(std::move(nodes), depth);
    }

    /// Reads a subgraph, after "subgraph" or at the brace.
    Nodes read_subgraph(int depth) {
        if (!take_if("{")) {
            id();
            expect("{");
        }
        return read_statements(depth + 1);
    }

    int node_called(const std::string& name) {
        for (int n_ports = 0; n_ports < 2 && take_if(":"); ++n_ports) id();
        return builder_.node_named(name);
    }

    Nodes read_end(int depth) {
        skip_blanks();
        if (scanner_.is_here("{")) return read_subgraph(depth);
        const bool is_quoted = scanner_.is_here("\"");
        const std::string name = id();
        return !is_quoted && ascii_lower(name) == "subgraph" ? read_subgraph(depth)
                                                             : Nodes{node_called(name)};
    }

    /// Reads "-> b -> c [weight=2]", or the attributes of one node; returns all nodes that occur
    /// there.
    Nodes read_edges(Nodes first, int depth) {
        std::vector<Nodes> chain{std::move(first)};
        while (takes_line()) chain.push_back(read_end(depth));
        const Attributes attributes = read_attributes();
        if (chain.size() == 1 && chain[0].size() == 1) {
            of_node_.resize(static_cast<std::size_t>(builder_.n_nodes()));
            for (const auto& [key, value] : attributes)
                if (!only_draws(key)) of_node_[static_cast<std::size_t>(chain[0][0])][key] = value;
        }
        for (std::size_t k = 1; k < chain.size(); ++k)
            add_edges(chain[k - 1], chain[k], attributes);
        Nodes all;
        for (const Nodes& nodes : chain) all.insert(all.end(), nodes.begin(), nodes.end());
        return all;
    }

    bool takes_line() {
        const bool is_directed = directed_ == Directed::Yes;
        if (take_if(is_directed ? "--" : "->"))
            scanner_.fail(is_directed ? "in a digraph edges are written ->, not --"
                                      : "in a graph edges are written --, not ->");
        return take_if(is_directed ? "->" : "--");
    }

    Attributes read_attributes() {
        Attributes attributes;
        while (take_if("[")) {
            while (!take_if("]")) {
                if (take_if(",") || take_if(";")) continue;
                std::string key = id();
                expect("=");
                attributes.emplace_back(std::move(key), id());
            }
        }
        return attributes;
    }

    static bool only_draws(std::string_view key) {
        return is_among(ascii_lower(key), kGraphvizAttributes);
    }

    void apply_attributes(ReadGraph& read) const {
        NodeColumns columns;
        for (std::size_t k = 0; k < of_node_.size(); ++k) {
            const int node = static_cast<int>(k);
            for (const auto& [key, value] : of_node_[k]) {
                if (key == "pos")
                    set_place(columns, node, value);
                else if (key != "label")
                    columns.set(node, key, value);
                else if (value != "\\N")
                    columns.set(node, key, replaced_all(value, "\\n", " "));
            }
        }
        columns.apply(read);
    }

    /// Reads "x,y", perhaps with z or an exclamation mark.
    static void set_place(NodeColumns& columns, int node, std::string_view text) {
        if (text.ends_with('!')) text.remove_suffix(1);
        const std::string_view x = text.substr(0, text.find(','));
        text.remove_prefix(std::min(x.size() + 1, text.size()));
        columns.set(node, "x", std::string(x));
        columns.set(node, "y", std::string(text.substr(0, text.find(','))));
    }

    void add_edges(const Nodes& sources, const Nodes& targets, const Attributes& attributes) {
        for (const int source : sources)
            for (const int target : targets) {
                edges_.begin(source, target, directed_);
                edges_.set("weight", default_weight_);
                for (const auto& [key, value] : attributes)
                    if (!only_draws(key)) edges_.set(key, value);
            }
    }

    TextScanner scanner_;
    Directed directed_ = Directed::No;
    GraphBuilder builder_{Directed::No};
    FileEdges edges_;
    std::string default_weight_;
    std::vector<std::map<std::string, std::string>> of_node_;  // attributes, the last one counts
};

}  // namespace

bool is_dot(std::string_view text) {
    for (bool is_comment = true; is_comment;) {
        text.remove_prefix(std::min(text.find_first_not_of(kDotBlanks), text.size()));
        is_comment = text.starts_with("//") || text.starts_with("#") || text.starts_with("/*");
        if (!is_comment) break;
        const std::string_view end = text.starts_with("/*") ? "*/" : "\n";
        const std::size_t at = text.find(end);
        text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
    }
    const std::string first = ascii_lower(text.substr(0, text.find_first_of(" \t\r\n\v\f{\"")));
    if (first != "graph" && first != "digraph" && first != "strict") return false;
    const std::size_t brace = text.find('{');
    constexpr std::size_t kLongestHead = 2000;
    return brace < kLongestHead &&
           text.substr(0, brace).find_first_of("[;,") == std::string_view::npos;
}

ReadGraph read_dot(std::string_view text, std::string_view source_name) {
    return DotReader(text, source_name).read();
}

}  // namespace headlight
