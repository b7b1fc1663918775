#include "io/graphs/json_graphs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/node_table.h"
#include "io/text/json_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Returns a text, a number or a flag as text; nothing for anything else.
std::optional<std::string> scalar_text(const JsonValue& value) {
    if (const std::string* text = value.text()) return *text;
    if (const bool* flag = std::get_if<bool>(&value.value)) return *flag ? "1" : "0";
    if (const auto* number = std::get_if<std::int64_t>(&value.value))
        return std::to_string(*number);
    if (const auto* number = std::get_if<std::uint64_t>(&value.value))
        return std::to_string(*number);
    if (const double* number = std::get_if<double>(&value.value)) return number_text(*number);
    return std::nullopt;
}

/// Objects within nodes and links whose members count as their own.
constexpr std::array<std::string_view, 3> kInnerObjects = {"data", "attributes", "metadata"};
/// Members of links that are no attributes.
constexpr std::array<std::string_view, 9> kLinkMembers = {
    "source", "target", "from", "to", "id", "key", "index", "directed", "undirected"};

class JsonGraphReader {
  public:
    JsonGraphReader(const JsonSource& source, Directed directed)
        : root_(source), directed_(directed), builder_(directed) {}

    ReadGraph read_nodes_and_links() {
        read_direction(root_);
        const JsonView nodes = root_.at("nodes");
        const bool has_edges = root_.find("edges").has_value();
        if (has_edges && root_.find("links")) root_.fail("has both 'links' and 'edges'; keep one");
        const JsonView links = root_.at(has_edges ? "edges" : "links");
        nodes.for_each_element([&](const JsonView& node) { read_node(node); });
        links.for_each_element([&](const JsonView& link) { read_link(link); });
        return take(nodes, title_in(root_, "graph", "name"));
    }

    /// Reads a list of edges for each node. In an undirected graph every edge comes twice.
    ReadGraph read_adjacency() {
        read_direction(root_);
        const JsonView nodes = root_.at("nodes"), lists = root_.at("adjacency");
        nodes.for_each_element([&](const JsonView& node) { read_node(node); });
        if (lists.size() != nodes.size())
            lists.fail("has {} lists; there must be one for each node, {}", lists.size(),
                       nodes.size());
        for (std::size_t k = 0; k < lists.size(); ++k)
            lists[k].for_each_element([&](const JsonView& link) {
                const int source = static_cast<int>(k), target = end(link.at("id"));
                if (directed_ == Directed::Yes || target >= source) add_link(link, source, target);
            });
        return take(nodes, "");
    }

    ReadGraph read_elements() {
        const bool is_list = root_.is_list();
        if (!is_list) read_direction(root_);
        const JsonView elements = is_list ? root_ : root_.at("elements");
        const auto for_each = [&](const char* group, auto visit) {
            const bool wants_edges = std::string_view(group) == "edges";
            if (!elements.is_list()) {
                if (const auto list = elements.find(group)) list->for_each_element(visit);
                return;
            }
            elements.for_each_element([&](const JsonView& element) {
                if (element.at("data").find("source").has_value() == wants_edges) visit(element);
            });
        };
        for_each("nodes", [&](const JsonView& element) { read_element(element); });
        for_each("edges", [&](const JsonView& element) { read_link(element.at("data")); });
        return take(elements, is_list ? "" : title_in(root_, "data", "name"));
    }

    ReadGraph read_json_graph_format() {
        if (const auto graphs = root_.find("graphs"))
            graphs->fail("holds {} graphs; a file with one, as \"graph\", can be read",
                         graphs->size());
        const JsonView graph = root_.at("graph");
        read_direction(graph);
        const JsonView nodes = graph.at("nodes");
        has_ids_ = true;
        if (nodes.is_list())
            nodes.for_each_element([&](const JsonView& node) { read_node(node); });
        else
            nodes.for_each_member([&](const std::string& id, const JsonView& node) {
                at_place(node, [&] { set_members(builder_.add_node(id), node); });
            });
        if (const auto edges = graph.find("edges"))
            edges->for_each_element([&](const JsonView& edge) { read_link(edge); });
        const auto label = graph.find("label");
        return take(nodes, label && label->is_text() ? label->text() : "");
    }

    /// ["a", "b"], ["a", "b", 0.5] or {"source": "a", "target": "b"}
    ReadGraph read_edges() {
        root_.for_each_element([&](const JsonView& edge) {
            at_place(edge, [&] {
                if (edge.is_object()) {
                    const auto [from, to] = ends(edge);
                    const int source = builder_.node_named(name_text(from));
                    return add_link(edge, source, builder_.node_named(name_text(to)));
                }
                if (edge.size() != 2 && edge.size() != 3)
                    edge.fail("has {} items; an edge has two names and perhaps a weight",
                              edge.size());
                const int source = builder_.node_named(name_text(edge[0]));
                edges_.begin(source, builder_.node_named(name_text(edge[1])), directed_);
                if (edge.size() == 3) edges_.set_weight(static_cast<float>(edge[2].number()));
            });
        });
        return take(root_, "");
    }

    /// Reads {"a": ["b"], "b": ["a"]}; in an undirected graph one or both of two nodes may list the
    /// other.
    ReadGraph read_neighbours() {
        root_.for_each_member([&](const std::string& name, const JsonView& neighbours) {
            at_place(neighbours, [&] { builder_.add_node(name); });
        });
        std::set<std::pair<int, int>> known;
        root_.for_each_member([&](const std::string& name, const JsonView& neighbours) {
            const int source = *builder_.find_node(name);
            neighbours.for_each_element([&](const JsonView& neighbour) {
                const int target = *builder_.find_node(name_text(neighbour));
                if (directed_ == Directed::No && known.contains({target, source})) return;
                known.emplace(source, target);
                at_place(neighbour, [&] { edges_.begin(source, target, directed_); });
            });
        });
        return take(root_, "");
    }

    [[noreturn]] ReadGraph refuse_tree() {
        root_.fail(
            "holds a tree, as \"children\"; write its edges as a list: [[\"parent\", \"child\"], "
            "…]");
    }

  private:
    template <typename Action>
    static void at_place(const JsonView& view, Action action) {
        try {
            action();
        } catch (const GraphRefusal& refusal) {
            view.fail(refusal.what());
        }
    }

    ReadGraph take(const JsonView& place, std::string title) {
        ReadGraph read;
        at_place(place, [&] {
            edges_.add_to(builder_);
            read = builder_.take();
        });
        read.graph.title = std::move(title);
        columns_.apply(read);
        return read;
    }

    void read_direction(const JsonView& graph) {
        if (const auto directed = graph.find("directed"))
            directed_ = directed->flag() ? Directed::Yes : Directed::No;
        const auto options = graph.find("options");  // Graphology
        if (options && options->is_object())
            if (const auto type = options->find("type"); type && type->is_text())
                directed_ = type->text() == "undirected" ? Directed::No : Directed::Yes;
        builder_.set_directed(directed_);
    }

    static std::string title_in(const JsonView& root, const char* object, const char* key) {
        const auto within = root.find(object);
        if (!within || !within->is_object()) return "";
        const auto name = within->find(key);
        return name && name->is_text() ? name->text() : "";
    }

    void read_node(const JsonView& view) {
        at_place(view, [&] {
            if (!view.is_object()) {
                has_ids_ = true;
                builder_.add_node(name_text(view));
                return;
            }
            set_members(add_node(view), view);
        });
    }

    int add_node(const JsonView& view) {
        auto name = view.find("id");
        if (!name) name = view.find("key");
        has_ids_ |= name.has_value();
        if (!name) name = view.find("name");
        return builder_.add_node(name ? name_text(*name) : std::to_string(builder_.n_nodes()));
    }

    /// {"data": {"id": "a", …}, "position": {"x": 1, "y": 2}}
    void read_element(const JsonView& element) {
        at_place(element, [&] {
            const JsonView data = element.at("data");
            has_ids_ = true;
            const JsonView id = data.at("id");
            const int node = builder_.add_node(name_text(id));
            data.for_each_member([&](const std::string& key, const JsonView& value) {
                const bool repeats_id = key == "value" && scalar_text(value.value()) ==
                                                              scalar_text(id.value());  // NetworkX
                if (!repeats_id) set_member(node, key, value);
            });
            if (const auto place = element.find("position"); place && place->is_object())
                set_members(node, *place);
        });
    }

    void set_members(int node, const JsonView& view) {
        view.for_each_member([&](const std::string& key, const JsonView& value) {
            if (value.is_object() && is_among(key, kInnerObjects))
                set_members(node, value);
            else
                set_member(node, key, value);
        });
    }

    void set_member(int node, const std::string& key, const JsonView& value) {
        if (key == "features" && value.is_list())
            builder_.node(node).features = read_features(value, n_features_);
        else if (const auto text = scalar_text(value.value()); text && key != "id" && key != "key")
            columns_.set(node, key, *text);
    }

    std::string name_text(const JsonView& view) const {
        if (view.is_text()) return view.text();
        const bool is_whole = std::holds_alternative<std::int64_t>(view.value().value) ||
                              std::holds_alternative<std::uint64_t>(view.value().value);
        if (!is_whole) view.fail("an id must be a text or a whole number");
        return *scalar_text(view.value());
    }

    static std::pair<JsonView, JsonView> ends(const JsonView& link) {
        const bool is_from = link.find("from").has_value();  // vis.js
        return {link.at(is_from ? "from" : "source"), link.at(is_from ? "to" : "target")};
    }

    void read_link(const JsonView& view) {
        const auto [from, to] = ends(view);
        const int source = end(from);
        add_link(view, source, end(to));
    }

    void add_link(const JsonView& view, int source, int target) {
        at_place(view, [&] {
            Directed directed = directed_;
            if (const auto flag = view.find("directed"))
                directed = flag->flag() ? Directed::Yes : Directed::No;
            if (const auto flag = view.find("undirected"))
                directed = flag->flag() ? Directed::No : Directed::Yes;
            edges_.begin(source, target, directed);
            set_link_members(view);
        });
    }

    void set_link_members(const JsonView& view) {
        view.for_each_member([&](const std::string& key, const JsonView& value) {
            if (value.is_object() && is_among(key, kInnerObjects))
                set_link_members(value);
            else if (key == "weight")
                edges_.set_weight(static_cast<float>(value.number()));
            else if (const auto text = scalar_text(value.value());
                     text && !is_among(key, kLinkMembers))
                edges_.set(key, *text);
        });
    }

    /// Finds a node by its id, or by its index where nodes have none. D3 may have put the node
    /// itself.
    int end(const JsonView& view) const {
        if (view.is_object()) return end(view.at("id"));
        if (!has_ids_ && !view.is_text())
            return static_cast<int>(view.integer(0, builder_.n_nodes() - 1));
        const auto node = builder_.find_node(name_text(view));
        if (!node) view.fail("there is no node {}", in_quotes(name_text(view)));
        return *node;
    }

    JsonView root_;
    Directed directed_;
    GraphBuilder builder_;
    NodeColumns columns_;
    FileEdges edges_;
    bool has_ids_ = false;
    std::size_t n_features_ = 0;
};

bool has(const JsonValue& value, std::string_view key) {
    return value.object() && value.object()->contains(key);
}

const JsonValue* first_element(const JsonValue& value) {
    return value.array() && !value.array()->empty() ? &value.array()->front() : nullptr;
}

bool has_elements(const JsonValue& root) {
    const JsonValue* first = first_element(root);
    return has(root, "elements") || (first && has(*first, "data"));
}

bool has_nodes_or_links(const JsonValue& root) {
    return has(root, "nodes") || has(root, "links") || has(root, "edges");
}

bool is_json_graph_format(const JsonValue& root) {
    if (has(root, "graphs")) return true;
    return has(root, "graph") && has_nodes_or_links(root.object()->find("graph")->second);
}

bool has_edges_only(const JsonValue& root) {
    const JsonValue* first = first_element(root);
    return first && (first->array() || has(*first, "source") || has(*first, "from"));
}

/// True if every member lists names of members, and not all lists are empty.
bool lists_neighbours(const JsonValue& root) {
    if (!root.object()) return false;
    std::size_t n = 0;
    for (const auto& [name, list] : *root.object()) {
        if (!list.array()) return false;
        for (const JsonValue& item : *list.array()) {
            const auto text = scalar_text(item);
            if (!text || !root.object()->contains(*text)) return false;
        }
        n += list.array()->size();
    }
    return n > 0;
}

struct JsonGraphFormat {
    bool (*is_one)(const JsonValue& root);
    ReadGraph (JsonGraphReader::*read)();
};

constexpr std::array<JsonGraphFormat, 7> kJsonGraphFormats = {{
    {[](const JsonValue& root) { return has(root, "nodes") && has(root, "adjacency"); },
     &JsonGraphReader::read_adjacency},
    {has_nodes_or_links, &JsonGraphReader::read_nodes_and_links},
    {has_elements, &JsonGraphReader::read_elements},
    {is_json_graph_format, &JsonGraphReader::read_json_graph_format},
    {has_edges_only, &JsonGraphReader::read_edges},
    {lists_neighbours, &JsonGraphReader::read_neighbours},
    {[](const JsonValue& root) { return has(root, "children"); }, &JsonGraphReader::refuse_tree},
}};

const JsonGraphFormat* find_format(const JsonValue& root) {
    if (has(root, "kind") || has(root, "headlight")) return nullptr;
    const auto* found = std::ranges::find_if(
        kJsonGraphFormats, [&](const JsonGraphFormat& format) { return format.is_one(root); });
    return found == kJsonGraphFormats.end() ? nullptr : found;
}

}  // namespace

bool is_json_graph(const JsonSource& source) {
    return find_format(source.root) != nullptr;
}

ReadGraph read_json_graph(const JsonSource& source, Directed directed) {
    const JsonGraphFormat* format = find_format(source.root);
    if (!format) {
        JsonView(source).expect_object();
        JsonView(source).fail("holds no graph");
    }
    return (JsonGraphReader(source, directed).*format->read)();
}

}  // namespace headlight
