#include "io/graphs/node_link.h"

#include <optional>

#include "graph/node_table.h"
#include "io/graphs/node_features.h"
#include "io/text/json_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// A text, a number or a flag as text; nothing for anything else.
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

class NodeLinkReader {
  public:
    NodeLinkReader(const JsonSource& source, Directed directed)
        : root_(source), builder_(directed) {}

    ReadGraph read() {
        if (const auto directed = root_.find("directed"))
            builder_.set_directed(directed->flag() ? Directed::Yes : Directed::No);
        const JsonView nodes = root_.at("nodes");
        const bool has_edges = root_.find("edges").has_value();
        if (has_edges && root_.find("links")) root_.fail("has both 'links' and 'edges'; keep one");
        const JsonView links = root_.at(has_edges ? "edges" : "links");
        nodes.for_each_element(
            [&](const JsonView& node) { at_place(node, [&] { read_node(node); }); });
        links.for_each_element(
            [&](const JsonView& link) { at_place(link, [&] { read_link(link); }); });
        ReadGraph read;
        at_place(nodes, [&] { read = builder_.take(); });
        if (const auto title = find_title()) read.graph.title = *title;
        columns_.apply(read);
        return read;
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

    /// NetworkX keeps it in "graph", an object.
    std::optional<std::string> find_title() const {
        const auto graph = root_.find("graph");
        if (!graph || !graph->is_object()) return std::nullopt;
        const auto name = graph->find("name");
        if (!name || !name->is_text()) return std::nullopt;
        return name->text();
    }

    void read_node(const JsonView& view) {
        if (!view.is_object()) {
            has_ids_ = true;
            builder_.add_node(name_text(view));
            return;
        }
        const auto id = view.find("id");
        const auto name = id ? id : view.find("name");
        has_ids_ |= id.has_value();
        const int node =
            builder_.add_node(name ? name_text(*name) : std::to_string(builder_.n_nodes()));
        view.for_each_member([&](const std::string& key, const JsonView& value) {
            if (key == "features" && value.is_list())
                builder_.node(node).features = read_features(value, n_features_);
            else if (const auto text = scalar_text(value.value()); text && key != "id")
                columns_.set(node, key, *text);
        });
    }

    std::string name_text(const JsonView& view) const {
        if (view.is_text()) return view.text();
        const bool is_whole = std::holds_alternative<std::int64_t>(view.value().value) ||
                              std::holds_alternative<std::uint64_t>(view.value().value);
        if (!is_whole) view.fail("an id must be a text or a whole number");
        return *scalar_text(view.value());
    }

    void read_link(const JsonView& view) {
        const int source = end(view.at("source")), target = end(view.at("target"));
        const auto weight = view.find("weight");
        builder_.add_edge(source, target, weight ? static_cast<float>(weight->number()) : 1);
    }

    /// A node by its id, or by its index where nodes have none. D3 may have put the node itself.
    int end(const JsonView& view) const {
        if (view.is_object()) return end(view.at("id"));
        if (!has_ids_ && !view.is_text())
            return static_cast<int>(view.integer(0, builder_.n_nodes() - 1));
        const auto node = builder_.find_node(name_text(view));
        if (!node) view.fail("there is no node {}", in_quotes(name_text(view)));
        return *node;
    }

    JsonView root_;
    GraphBuilder builder_;
    NodeColumns columns_;
    bool has_ids_ = false;
    std::size_t n_features_ = 0;
};

}  // namespace

bool is_node_link(const JsonSource& source) {
    const JsonObject* root = source.root.object();
    if (!root || root->contains("kind") || root->contains("headlight")) return false;
    return root->contains("nodes") || root->contains("links") || root->contains("edges");
}

ReadGraph read_node_link(const JsonSource& source, Directed directed) {
    return NodeLinkReader(source, directed).read();
}

}  // namespace headlight
