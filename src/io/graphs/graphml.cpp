#include "io/graphs/graphml.h"

#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/node_table.h"
#include "io/graphs/xml_file.h"
#include "text/strings.h"

namespace headlight {
namespace {

using namespace std::string_view_literals;
using pugi::xml_node;

/// <key id="d0" for="node" attr.name="colour" attr.type="string"><default>red</default></key>
struct Key {
    std::string name;
    std::string drawing;  // yEd: "nodegraphics" or "edgegraphics"; else empty
    std::optional<std::string> fallback;
};

/// Returns a text as a program shows it, on one line.
std::string text_on_one_line(std::string_view text) {
    return replaced_all(replaced_all(std::string(trimmed(text)), "\r", ""), "\n", " ");
}

class GraphmlReader {
  public:
    GraphmlReader(std::string_view bytes, const std::string& source)
        : xml_(bytes, source, "graphml") {}

    ReadGraph read() {
        const xml_node root = xml_.root();
        for (const xml_node child : root.children("key")) read_key(child);
        const xml_node graph = root.child("graph");
        if (!graph) xml_.fail(root, "there is no <graph> in <graphml>");
        if (graph.next_sibling("graph"))
            xml_.fail(graph.next_sibling("graph"),
                      "there is a second <graph>; only one can be read");
        xml_node at = graph;
        try {
            read_direction(graph);
            for (const xml_node node : graph.children("node")) read_node(at = node);
            for (const xml_node other : graph.children()) {
                at = other;
                const std::string_view name = other.name();
                if (name == "edge") read_edge(other);
                if (name == "hyperedge")
                    xml_.fail(other, "a <hyperedge> cannot be read; an edge must have two ends");
            }
            weigh_by_labels();
            edges_.add_to(builder_);
            ReadGraph read = builder_.take();
            columns_.apply(read);
            return read;
        } catch (const GraphRefusal& refusal) {
            xml_.fail(at, refusal.what());
        }
    }

  private:
    /// Reads a key, which its id and its purpose identify. Cytoscape writes some more than once.
    void read_key(const xml_node& element) {
        xml_.check_attributes(element);
        const std::string id(xml_.needed(element, "id"));
        Key key{element.attribute("attr.name").as_string(id.c_str()),
                element.attribute("yfiles.type").value(),
                {}};
        if (const auto fallback = element.child("default")) key.fallback = fallback.child_value();
        const auto [known, is_new] =
            keys_[element.attribute("for").as_string("all")].emplace(id, key);
        if (!is_new && known->second.name != key.name)
            xml_.fail(element,
                      fmt::format("two keys have the id {}; ids must differ", in_quotes(id)));
    }

    void read_direction(const xml_node& graph) {
        xml_.check_attributes(graph);
        const std::string_view direction = graph.attribute("edgedefault").value();
        const auto other = graph.attribute("directed");  // Cytoscape
        if (direction.empty() && !other)
            builder_.note("taken as undirected, since edgedefault is missing");
        if (!direction.empty() && direction != "directed" && direction != "undirected")
            xml_.fail(graph, fmt::format("edgedefault is {}; it can be 'directed' or 'undirected'",
                                         in_quotes(direction)));
        const bool is_directed = direction.empty() ? other.as_bool() : direction == "directed";
        default_ = is_directed ? Directed::Yes : Directed::No;
        builder_.set_directed(default_);
    }

    /// Returns the key that data of a node or an edge have: one for these, for all, or for any
    /// other.
    const Key* find_key(std::string_view id, std::string_view domain) const {
        for (const std::string_view of : {domain, "all"sv, "node"sv, "edge"sv, "graph"sv}) {
            const auto keys = keys_.find(of);
            if (keys == keys_.end()) continue;
            const auto key = keys->second.find(id);
            if (key != keys->second.end()) return &key->second;
        }
        return nullptr;
    }

    /// Calls visit(key, text) for the element's data, and for the defaults of data that it lacks.
    template <typename Visit>
    void for_each_value(const xml_node& element, std::string_view domain, Visit visit) const {
        std::set<std::string_view> seen;
        for (const xml_node data : element.children("data")) {
            const std::string_view id = xml_.needed(data, "key");
            const Key* key = find_key(id, domain);
            if (!key) xml_.fail(data, "there is no <key> with the id " + in_quotes(id));
            if (!seen.insert(id).second)
                xml_.fail(data, fmt::format("there are two <data> of the key {}; keep one",
                                            in_quotes(id)));
            visit(*key, data, std::string(data.child_value()));
        }
        for (const std::string_view of : {domain, std::string_view("all")}) {
            const auto keys = keys_.find(of);
            if (keys == keys_.end()) continue;
            for (const auto& [id, key] : keys->second)
                if (key.fallback && seen.insert(id).second) visit(key, element, *key.fallback);
        }
    }

    void read_node(const xml_node& element) {
        xml_.check_attributes(element);
        if (element.child("graph"))
            xml_.fail(element.child("graph"), "a <graph> inside a <node> cannot be read");
        const int node = builder_.add_node(xml_.needed(element, "id"));
        std::set<std::string> names;
        xml_node drawing;
        for_each_value(element, "node",
                       [&](const Key& key, const xml_node& data, std::string text) {
                           if (key.drawing == "nodegraphics") return void(drawing = data);
                           if (text == "true") text = "1";
                           if (text == "false") text = "0";
                           columns_.set(node, key.name, std::move(text));
                           names.insert(key.name);
                       });
        if (drawing) read_drawing(node, drawing, names);
    }

    /// <y:ShapeNode><y:Geometry x="0" y="0" width="30" height="30"/><y:NodeLabel>Ann…   [yEd]
    void read_drawing(int node, const xml_node& data, const std::set<std::string>& known) {
        const std::string label =
            text_on_one_line(find_descendant(data, "NodeLabel").child_value());
        if (!label.empty() && !known.contains("label")) columns_.set(node, "label", label);
        const xml_node geometry = find_descendant(data, "Geometry");
        for (const auto& [axis, size] : {std::pair("x", "width"), std::pair("y", "height")}) {
            const auto corner = finite_number(geometry.attribute(axis).value());
            const auto length = finite_number(geometry.attribute(size).value());
            if (corner && !known.contains(axis))
                columns_.set(node, axis, fmt::format("{}", *corner + length.value_or(0) / 2));
        }
    }

    void read_edge(const xml_node& element) {
        xml_.check_attributes(element);
        const int source = end_of_edge(xml_, element, "source", builder_),
                  target = end_of_edge(xml_, element, "target", builder_);
        const auto direction = element.attribute("directed");
        edges_.begin(source, target,
                     !direction            ? default_
                     : direction.as_bool() ? Directed::Yes
                                           : Directed::No);
        edge_labels_.emplace_back();
        for_each_value(element, "edge",
                       [&](const Key& key, const xml_node& at, const std::string& text) {
                           if (key.drawing == "edgegraphics")
                               edge_labels_.back() =
                                   text_on_one_line(find_descendant(at, "EdgeLabel").child_value());
                           else
                               set_of_edge(key, at, text);
                       });
    }

    void set_of_edge(const Key& key, const xml_node& at, const std::string& text) {
        try {
            edges_.set(key.name, text);
        } catch (const GraphRefusal& refusal) {
            xml_.fail(at, refusal.what());
        }
    }

    /// Takes the labels of a yEd graph for weights if every edge has a number as its label.
    void weigh_by_labels() {
        std::vector<float> weights;
        std::size_t n_labels = 0;
        for (const std::string& label : edge_labels_) {
            n_labels += label.empty() ? 0 : 1;
            if (const auto weight = finite_number(label)) weights.push_back(*weight);
        }
        if (n_labels == 0) return;
        const bool are_weights = weights.size() == edge_labels_.size();
        if (are_weights) edges_.set_weights(weights);
        builder_.note(are_weights ? "the labels of the edges are their weights"
                                  : note_of_no_effect("attribute", {"label"}, "edges"));
    }

    XmlFile xml_;
    std::map<std::string, std::map<std::string, Key, std::less<>>, std::less<>>
        keys_;  // by their purpose
    GraphBuilder builder_{Directed::No};
    NodeColumns columns_;
    FileEdges edges_;
    std::vector<std::string> edge_labels_;  // those that yEd shows, of each edge
    Directed default_ = Directed::No;
};

}  // namespace

ReadGraph read_graphml(std::string_view bytes, const std::string& source) {
    return GraphmlReader(bytes, source).read();
}

}  // namespace headlight
