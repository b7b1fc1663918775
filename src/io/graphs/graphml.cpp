#include "io/graphs/graphml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>

#include "core/error.h"
#include "graph/node_table.h"
#include "io/text/text_check.h"
#include "text/strings.h"

namespace headlight {
namespace {

struct XmlLimits {
    int depth = 64;
    std::size_t elements = 10'000'000;
};

/// Throws Error, with `source` and the line, unless the bytes are UTF-8 without NUL, have no
/// document type (and so no entities of their own), refer to no characters that XML does not have,
/// and keep to the limits. Whether the elements are closed and named rightly is not looked at.
void check_xml(std::string_view bytes, const std::string& source, const XmlLimits& limits = {});

constexpr std::array<std::string_view, 5> kEntities = {"amp", "lt", "gt", "quot", "apos"};

bool is_xml_character(std::uint32_t c) {
    if (c < 0x20) return c == 0x9 || c == 0xA || c == 0xD;
    const bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
    return !is_surrogate && c != 0xFFFE && c != 0xFFFF && c <= 0x10FFFF;
}

/// "#65" or "#x41"
bool is_character_reference(std::string_view name) {
    if (!name.starts_with('#')) return false;
    const bool is_hex = name.starts_with("#x");
    name.remove_prefix(is_hex ? 2 : 1);
    std::uint32_t number = 0;
    const char* end = name.data() + name.size();
    const auto [rest, failure] = std::from_chars(name.data(), end, number, is_hex ? 16 : 10);
    return failure == std::errc() && rest == end && is_xml_character(number);
}

class XmlCheck {
  public:
    XmlCheck(std::string_view bytes, const std::string& source, const XmlLimits& limits)
        : bytes_(bytes), source_(source), limits_(limits) {}

    void run() {
        for (at_ = bytes_.find_first_of("<&"); at_ < bytes_.size();
             at_ = bytes_.find_first_of("<&", at_))
            bytes_[at_] == '&' ? check_reference() : check_markup();
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        fail_at_byte(bytes_, at_, source_, what);
    }

    bool is_here(std::string_view text) const { return bytes_.substr(at_).starts_with(text); }

    /// Goes behind the next `end`; to the end of the file if there is none.
    void skip_behind(std::string_view end) {
        const std::size_t found = bytes_.find(end, at_);
        at_ = found == std::string_view::npos ? bytes_.size() : found + end.size();
    }

    void check_reference() {
        constexpr std::size_t kLongest = 24;
        const std::string_view text = bytes_.substr(at_ + 1, kLongest);
        const std::string_view name = text.substr(0, text.find_first_of("; \t\r\n\"'<>&"));
        if (!text.substr(name.size()).starts_with(';') ||
            (std::ranges::find(kEntities, name) == kEntities.end() &&
             !is_character_reference(name)))
            fail(fmt::format("the reference {} stands for no character; & itself is written &amp;",
                             in_quotes("&" + std::string(name))));
        ++at_;
    }

    void check_markup() {
        if (is_here("<!--")) return skip_behind("-->");
        if (is_here("<![CDATA[")) return skip_behind("]]>");
        if (is_here("<?")) return skip_behind("?>");
        if (is_here("<!"))
            fail(
                "a document type, <!DOCTYPE …>, is not read, since it may define entities; "
                "remove it");
        if (is_here("</")) {
            --depth_;
            return skip_behind(">");
        }
        if (++n_elements_ > limits_.elements)
            fail(fmt::format("too many elements; at most {} are read", limits_.elements));
        if (!skip_start_tag() && ++depth_ > limits_.depth)
            fail(fmt::format("nested too deep; at most {} levels are read", limits_.depth));
    }

    /// True if the element ends with it. References in attributes are checked.
    bool skip_start_tag() {
        char quote = '\0';
        for (++at_; at_ < bytes_.size(); ++at_) {
            const char c = bytes_[at_];
            if (c == '&') check_reference(), --at_;
            if (quote != '\0') {
                if (c == quote) quote = '\0';
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '>') {
                return bytes_[at_++ - 1] == '/';
            }
        }
        return true;
    }

    std::string_view bytes_;
    const std::string& source_;
    const XmlLimits& limits_;
    std::size_t at_ = 0, n_elements_ = 0;
    int depth_ = 0;
};

void check_xml(std::string_view bytes, const std::string& source, const XmlLimits& limits) {
    check_text(bytes, source);
    XmlCheck(bytes, source, limits).run();
}

using pugi::xml_node;

/// <key id="d0" for="node" attr.name="colour" attr.type="string"><default>red</default></key>
struct Key {
    std::string name, domain;
    std::optional<std::string> fallback;
};

class GraphmlReader {
  public:
    GraphmlReader(std::string_view bytes, const std::string& source)
        : bytes_(bytes), source_(source) {}

    ReadGraph read() {
        const xml_node root = parse();
        for (const xml_node child : root.children("key")) read_key(child);
        const xml_node graph = root.child("graph");
        if (!graph) fail(root, "there is no <graph> in <graphml>");
        if (graph.next_sibling("graph"))
            fail(graph.next_sibling("graph"), "there is a second <graph>; only one can be read");
        xml_node at = graph;
        try {
            read_direction(graph);
            for (const xml_node node : graph.children("node")) read_node(at = node);
            for (const xml_node other : graph.children()) read_other(at = other);
            ReadGraph read = builder_.take();
            columns_.apply(read);
            return read;
        } catch (const GraphRefusal& refusal) {
            fail(at, refusal.what());
        }
    }

  private:
    [[noreturn]] void fail(const xml_node& at, const std::string& what) const {
        const auto offset =
            static_cast<std::size_t>(std::max<std::ptrdiff_t>(at.offset_debug(), 0));
        fail_at_byte(bytes_, offset, source_, what);
    }

    xml_node parse() {
        check_xml(bytes_, source_);
        const unsigned options = pugi::parse_default | pugi::parse_declaration;
        const pugi::xml_parse_result result =
            document_.load_buffer(bytes_.data(), bytes_.size(), options, pugi::encoding_utf8);
        if (!result)
            fail_at_byte(bytes_,
                         static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                         source_, "not well-formed XML: " + std::string(result.description()));
        check_encoding();
        const xml_node root = document_.document_element();
        if (std::string_view(root.name()) != "graphml")
            fail(root,
                 fmt::format("the root element is {}, not 'graphml'", in_quotes(root.name())));
        return root;
    }

    void check_encoding() const {
        const std::string encoding = document_.first_child().attribute("encoding").value();
        for (const char* known : {"", "UTF-8", "utf-8", "utf8", "UTF8", "US-ASCII", "ASCII"})
            if (encoding == known) return;
        throw Error(source_, "is in the encoding {}; save it as UTF-8", in_quotes(encoding));
    }

    /// Throws unless every attribute comes once.
    void check_attributes(const xml_node& element) const {
        std::set<std::string_view> names;
        for (const auto& attribute : element.attributes())
            if (!names.insert(attribute.name()).second)
                fail(element, fmt::format("the attribute {} comes twice; keep one",
                                          in_quotes(attribute.name())));
    }

    std::string_view needed(const xml_node& element, const char* attribute) const {
        const auto found = element.attribute(attribute);
        if (!found)
            fail(element,
                 fmt::format("<{}> needs the attribute {}", element.name(), in_quotes(attribute)));
        return found.value();
    }

    void read_key(const xml_node& element) {
        check_attributes(element);
        Key key{std::string(needed(element, "id")), element.attribute("for").as_string("all"), {}};
        const std::string id = key.name;
        if (const auto name = element.attribute("attr.name")) key.name = name.value();
        if (const auto fallback = element.child("default")) key.fallback = fallback.child_value();
        if (!keys_.emplace(id, std::move(key)).second)
            fail(element, fmt::format("two keys have the id {}; ids must differ", in_quotes(id)));
    }

    void read_direction(const xml_node& graph) {
        check_attributes(graph);
        const std::string_view direction = graph.attribute("edgedefault").value();
        if (direction.empty()) builder_.note("taken as undirected, since edgedefault is missing");
        if (!direction.empty() && direction != "directed" && direction != "undirected")
            fail(graph, fmt::format("edgedefault is {}; it can be 'directed' or 'undirected'",
                                    in_quotes(direction)));
        is_directed_ = direction == "directed";
        builder_.set_directed(is_directed_ ? Directed::Yes : Directed::No);
    }

    /// Calls visit(key, text) for the element's data, and for the defaults of what it lacks.
    template <typename Visit>
    void for_each_value(const xml_node& element, std::string_view domain, Visit visit) const {
        std::set<std::string_view> seen;
        for (const xml_node data : element.children("data")) {
            const std::string_view id = needed(data, "key");
            const auto key = keys_.find(id);
            if (key == keys_.end()) fail(data, "there is no <key> with the id " + in_quotes(id));
            if (!seen.insert(id).second)
                fail(data,
                     fmt::format("there are two <data> of the key {}; keep one", in_quotes(id)));
            visit(key->second, data, std::string(data.child_value()));
        }
        for (const auto& [id, key] : keys_)
            if (key.fallback && (key.domain == domain || key.domain == "all") && !seen.contains(id))
                visit(key, element, *key.fallback);
    }

    void read_node(const xml_node& element) {
        check_attributes(element);
        if (element.child("graph"))
            fail(element.child("graph"), "a <graph> inside a <node> cannot be read");
        const int node = builder_.add_node(needed(element, "id"));
        for_each_value(element, "node", [&](const Key& key, const xml_node&, std::string text) {
            if (text == "true") text = "1";
            if (text == "false") text = "0";
            columns_.set(node, key.name, std::move(text));
        });
    }

    void read_other(const xml_node& element) {
        const std::string_view name = element.name();
        if (name == "edge") read_edge(element);
        if (name == "hyperedge")
            fail(element, "a <hyperedge> cannot be read; an edge must have two ends");
    }

    void read_edge(const xml_node& element) {
        check_attributes(element);
        const auto direction = element.attribute("directed");
        if (direction && direction.as_bool() != is_directed_)
            fail(element, "a graph cannot have both directed and undirected edges");
        const int source = end(element, "source"), target = end(element, "target");
        float weight = 1;
        for_each_value(
            element, "edge", [&](const Key& key, const xml_node& at, const std::string& text) {
                if (key.name != "weight") return;
                const auto number = finite_number(text);
                if (!number)
                    fail(at, fmt::format("the weight {} is not a finite number", in_quotes(text)));
                weight = *number;
            });
        builder_.add_edge(source, target, weight);
    }

    int end(const xml_node& edge, const char* attribute) const {
        const std::string_view id = needed(edge, attribute);
        const auto node = builder_.find_node(id);
        if (!node) fail(edge, "there is no node " + in_quotes(id));
        return *node;
    }

    std::string_view bytes_;
    const std::string& source_;
    pugi::xml_document document_;
    std::map<std::string, Key, std::less<>> keys_;
    GraphBuilder builder_{Directed::No};
    NodeColumns columns_;
    bool is_directed_ = false;
};

}  // namespace

ReadGraph read_graphml(std::string_view bytes, const std::string& source) {
    return GraphmlReader(bytes, source).read();
}

}  // namespace headlight
