#include "graph/gml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "graph/node_table.h"
#include "graph/text_lines.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kMostLists = 100;  // those named in a note
constexpr std::string_view kGmlBlanks = " \t\r\n\v\f";

/// Replaces &quot; and &#233; by the characters that they stand for.
std::string without_entities(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 5> kNamed = {
        {{"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}}};
    std::string result;
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find('&'), text.size());
        result += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        const std::size_t end = text.find(';');
        const std::string_view name =
            end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
        const auto* found =
            std::ranges::find(kNamed, name, &std::pair<std::string_view, char>::first);
        std::uint32_t code = 0;
        const char* last = name.data() + name.size();
        const bool is_number = name.starts_with('#') &&
                               std::from_chars(name.data() + 1, last, code).ptr == last &&
                               code >= 0x20 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
        if (found != kNamed.end())
            result += found->second;
        else if (is_number)
            result += encode_code_point(static_cast<char32_t>(code));
        else
            result += '&';
        text.remove_prefix(found != kNamed.end() || is_number ? end + 1 : 1);
    }
    return result;
}

class GmlReader {
  public:
    GmlReader(std::string_view text, Directed directed, std::string_view source)
        : scanner_(text, "GML", source), directed_(directed), builder_(directed) {}

    ReadGraph read() {
        try {
            bool has_graph = false;
            for (skip_blanks(); !scanner_.is_at_end(); skip_blanks()) {
                const auto key = next_key();
                if (!key) scanner_.fail("a ] has no partner");
                if (*key != "graph" || !scanner_.take_if("[")) {
                    skip_value(0);
                    continue;
                }
                if (std::exchange(has_graph, true))
                    scanner_.fail("there is a second graph; only one can be read");
                read_graph();
            }
            if (!has_graph) scanner_.fail("there is no 'graph [' in it");
            edges_.add_to(builder_);
            if (!lists_.empty())
                builder_.note(note_of_no_effect("attribute", {lists_.begin(), lists_.end()},
                                                "nodes or edges, since it is a list"));
            ReadGraph read = builder_.take();
            read.graph.title = title_;
            columns_.apply(read);
            return read;
        } catch (const GraphRefusal& refusal) {
            scanner_.fail(refusal.what());
        }
    }

  private:
    void skip_blanks() {
        scanner_.skip(kGmlBlanks);
        while (scanner_.is_here("#")) {
            scanner_.take_until("\r\n");
            scanner_.skip(kGmlBlanks);
        }
    }

    /// Returns the next key in small letters; its value follows. Returns nothing after the end of a
    /// list.
    std::optional<std::string> next_key() {
        skip_blanks();
        if (scanner_.is_at_end())
            scanner_.fail("a ] is missing at the end; the file is incomplete");
        if (scanner_.take_if("]")) return std::nullopt;
        const std::string key = ascii_lower(scanner_.take_until(" \t\r\n\v\f[]\"#"));
        if (key.empty())
            scanner_.fail(
                fmt::format("{} stands where a key must be", shown(scanner_.rest().substr(0, 1))));
        skip_blanks();
        return key;
    }

    /// Returns a number or a text; nothing before the beginning of a list, which is not taken.
    std::optional<std::string> scalar() {
        if (scanner_.is_here("[")) return std::nullopt;
        if (!scanner_.take_if("\"")) {
            std::string value(scanner_.take_until(" \t\r\n\v\f[]\"#"));
            if (value.empty()) scanner_.fail("a value is missing after a key");
            return value;
        }
        const std::string value = without_entities(scanner_.take_until("\""));
        if (!scanner_.take_if("\"")) scanner_.fail("a text is not closed by a quotation mark");
        return value;
    }

    void skip_value(int depth) {
        constexpr int kMostLevels = 64;
        if (depth == kMostLevels) scanner_.fail("nested too deep; at most 64 levels are read");
        if (scalar()) return;
        scanner_.take(1);
        while (next_key()) skip_value(depth + 1);
    }

    void read_graph() {
        while (const auto key = next_key()) {
            if (*key == "node" && scanner_.take_if("["))
                read_node();
            else if (*key == "edge" && scanner_.take_if("["))
                read_edge();
            else if (*key == "directed")
                read_direction();
            else if ((*key == "name" || *key == "label") && !scanner_.is_here("["))
                title_ = *scalar();
            else
                skip_value(0);
        }
    }

    void read_direction() {
        const auto value = scalar();
        if (has_edges_) scanner_.fail("'directed' must come before the edges");
        if (value != "0" && value != "1") scanner_.fail("'directed' must be 0 or 1");
        directed_ = value == "1" ? Directed::Yes : Directed::No;
        builder_.set_directed(directed_);
    }

    using Values = std::map<std::string, std::string>;

    /// Reads the values up to the end of the list, without those that come twice.
    Values read_values(bool with_graphics) {
        Values values;
        std::set<std::string> lists;
        while (const auto key = next_key()) {
            if (*key == "graphics" && with_graphics && scanner_.take_if("[")) {
                for (auto& [name, value] : read_values(false))
                    if (name == "x" || name == "y") values.emplace(name, std::move(value));
                continue;
            }
            if (scanner_.is_here("[")) {
                skip_value(0);
                continue;
            }
            if (!values.emplace(*key, *scalar()).second) lists.insert(*key);
        }
        for (const std::string& name : lists) values.erase(name);
        if (lists_.size() < kMostLists) lists_.merge(lists);
        return values;
    }

    std::string taken(Values& values, const char* key, const char* of) const {
        const auto found = values.extract(key);
        if (!found) scanner_.fail(fmt::format("this {} has no {}, or more than one", of, key));
        return found.mapped();
    }

    void read_node() {
        Values values = read_values(true);
        const int node = builder_.add_node(taken(values, "id", "node"));
        for (auto& [key, value] : values) columns_.set(node, key, std::move(value));
    }

    void read_edge() {
        Values values = read_values(false);
        const int source = end(taken(values, "source", "edge"));
        const int target = end(taken(values, "target", "edge"));
        edges_.begin(source, target, directed_);
        for (const auto& [key, value] : values) edges_.set(key, value);
        has_edges_ = true;
    }

    int end(const std::string& id) const {
        const auto node = builder_.find_node(id);
        if (!node) scanner_.fail(fmt::format("there is no node {} before this edge", shown(id)));
        return *node;
    }

    TextScanner scanner_;
    Directed directed_;
    GraphBuilder builder_;
    NodeColumns columns_;
    FileEdges edges_;
    std::set<std::string> lists_;  // keys that came twice
    std::string title_;
    bool has_edges_ = false;
};

}  // namespace

bool is_gml(std::string_view text) {
    for (int n_lines = 0; n_lines < 100 && !text.empty(); ++n_lines) {
        text.remove_prefix(std::min(text.find_first_not_of(kGmlBlanks), text.size()));
        const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
        const std::string first = ascii_lower(line.substr(0, line.find_first_of(" \t[")));
        text.remove_prefix(line.starts_with("#") ? line.size() : first.size());
        if (line.starts_with("#")) continue;
        if (first == "graph") {
            text.remove_prefix(std::min(text.find_first_not_of(kGmlBlanks), text.size()));
            return text.starts_with('[');
        }
        if (first != "creator" && first != "version" && first != "comment") return false;
        text.remove_prefix(line.size() - first.size());
    }
    return false;
}

ReadGraph read_gml(std::string_view text, Directed directed, std::string_view source_name) {
    return GmlReader(text, directed, source_name).read();
}

}  // namespace headlight
