#include "io/graphs/gexf.h"

#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "graph/node_table.h"
#include "io/graphs/xml_file.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// <attribute id="0" title="club" type="string"><default>red</default></attribute>
struct GexfAttribute {
    std::string title;
    std::optional<std::string> fallback;
};
using GexfAttributes = std::map<std::string, GexfAttribute, std::less<>>;

class GexfReader {
  public:
    GexfReader(std::string_view bytes, const std::string& source) : xml_(bytes, source, "gexf") {}

    ReadGraph read() {
        const pugi::xml_node graph = xml_.root().child("graph");
        if (!graph) xml_.fail(xml_.root(), "there is no <graph> in <gexf>");
        pugi::xml_node at = graph;
        try {
            default_ = direction_of(graph, "defaultedgetype", Directed::No);
            builder_.set_directed(default_);
            for (const pugi::xml_node list : graph.children("attributes")) read_attributes(list);
            for (const pugi::xml_node node : graph.child("nodes").children("node"))
                read_node(at = node);
            for (const pugi::xml_node edge : graph.child("edges").children("edge"))
                read_edge(at = edge);
            edges_.add_to(builder_);
            ReadGraph read = builder_.take();
            columns_.apply(read);
            read.graph.title = graph.attribute("name").value();
            return read;
        } catch (const GraphRefusal& refusal) {
            xml_.fail(at, refusal.what());
        }
    }

  private:
    Directed direction_of(const pugi::xml_node& element, const char* attribute,
                          Directed otherwise) const {
        const std::string_view word = element.attribute(attribute).value();
        if (word.empty()) return otherwise;
        if (word == "directed") return Directed::Yes;
        if (word == "undirected" || word == "mutual") return Directed::No;
        xml_.fail(element, fmt::format("{} is {}; it can be 'directed', 'undirected' or 'mutual'",
                                       attribute, in_quotes(word)));
    }

    void read_attributes(const pugi::xml_node& list) {
        const std::string_view of = list.attribute("class").value();
        GexfAttributes& attributes = of == "edge" ? of_edges_ : of_nodes_;
        for (const pugi::xml_node element : list.children("attribute")) {
            xml_.check_attributes(element);
            const std::string id(xml_.needed(element, "id"));
            GexfAttribute attribute{element.attribute("title").as_string(id.c_str()), {}};
            if (const auto fallback = element.child("default"))
                attribute.fallback = fallback.child_value();
            if (!attributes.emplace(id, std::move(attribute)).second)
                xml_.fail(element, fmt::format("two attributes have the id {}; ids must differ",
                                               in_quotes(id)));
        }
    }

    /// Calls visit(title, text) for the element's values, and for the defaults of values that it
    /// lacks.
    template <typename Visit>
    void for_each_value(const pugi::xml_node& element, const GexfAttributes& attributes,
                        Visit visit) const {
        std::set<std::string_view> seen;
        for (const pugi::xml_node value : element.child("attvalues").children("attvalue")) {
            const std::string_view id =
                xml_.needed(value, value.attribute("for") ? "for" : "id");  // id: GEXF 1.0
            const auto attribute = attributes.find(id);
            if (attribute == attributes.end())
                xml_.fail(value, "there is no <attribute> with the id " + in_quotes(id));
            if (!seen.insert(id).second)
                xml_.fail(value, fmt::format("there are two values of {}; values over time cannot "
                                             "be read",
                                             in_quotes(attribute->second.title)));
            visit(attribute->second.title, std::string(value.attribute("value").value()));
        }
        for (const auto& [id, attribute] : attributes)
            if (attribute.fallback && !seen.contains(id))
                visit(attribute.title, *attribute.fallback);
    }

    void read_node(const pugi::xml_node& element) {
        xml_.check_attributes(element);
        if (element.child("nodes"))
            xml_.fail(element.child("nodes"), "nodes inside a <node> cannot be read");
        const int node = builder_.add_node(xml_.needed(element, "id"));
        if (const auto label = element.attribute("label"))
            columns_.set(node, "label", label.value());
        read_place(node, element);
        for_each_value(element, of_nodes_, [&](const std::string& title, std::string text) {
            if (title == "label" || title == "x" || title == "y") return;
            if (text == "true") text = "1";
            if (text == "false") text = "0";
            columns_.set(node, title, std::move(text));
        });
    }

    /// <viz:position x="1" y="2"/>, where y goes upwards.
    void read_place(int node, const pugi::xml_node& element) {
        const pugi::xml_node place = find_descendant(element, "position");
        const auto x = finite_number(place.attribute("x").value());
        const auto y = finite_number(place.attribute("y").value());
        if (!x || !y) return;
        columns_.set(node, "x", fmt::format("{}", *x));
        columns_.set(node, "y", fmt::format("{}", -*y));
    }

    void read_edge(const pugi::xml_node& element) {
        xml_.check_attributes(element);
        const int source = end_of_edge(xml_, element, "source", builder_),
                  target = end_of_edge(xml_, element, "target", builder_);
        edges_.begin(source, target, direction_of(element, "type", default_));
        for (const char* attribute : {"weight", "label", "kind"})
            edges_.set(attribute, element.attribute(attribute).value());
        for_each_value(element, of_edges_, [&](const std::string& title, const std::string& text) {
            edges_.set(title, text);
        });
    }

    XmlFile xml_;
    GexfAttributes of_nodes_, of_edges_;
    GraphBuilder builder_{Directed::No};
    NodeColumns columns_;
    FileEdges edges_;
    Directed default_ = Directed::No;
};

}  // namespace

ReadGraph read_gexf(std::string_view bytes, const std::string& source) {
    return GexfReader(bytes, source).read();
}

}  // namespace headlight
