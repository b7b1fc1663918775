// Edits of a graph by hand.
#include "graph/graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "core/error.h"

namespace headlight {
namespace {

bool connects(const Edge& edge, int source, int target, bool directed) {
    if (edge.source == source && edge.target == target) return true;
    return !directed && edge.source == target && edge.target == source;
}

void check_node(const Graph& graph, int node) {
    const auto n_nodes = static_cast<int>(graph.nodes.size());
    if (node < 0 || node >= n_nodes)
        throw Error("graph", "there is no node with index {}; the graph has {} nodes", node,
                    n_nodes);
}

/// Returns the name, or one that nobody has if another node uses the features of that name.
std::string free_drawing(const Graph& graph, const std::string& name) {
    const auto is_taken = [&](const std::string& drawn_as) {
        return std::ranges::any_of(graph.nodes, [&](const Node& node) {
            return embedding_key(node) == "node:" + drawn_as;
        });
    };
    std::string drawn_as = name;
    for (int number = 2; is_taken(drawn_as); ++number)
        drawn_as = fmt::format("{} {}", name, number);
    return drawn_as;
}

std::string edge_text(const Graph& graph, int source, int target) {
    return graph.nodes[source].name + (graph.directed ? " → " : " – ") + graph.nodes[target].name;
}

}  // namespace

bool Features::operator==(const Features& other) const {
    return values_ == other.values_ || std::ranges::equal(values(), other.values());
}

std::string embedding_key(const Node& node) {
    if (!node.word.empty()) return "word:" + node.word;
    return "node:" + (node.drawn_as.empty() ? node.name : node.drawn_as);
}

int Graph::find_node(const std::string& name) const {
    const auto found = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const Node& node) { return node.name == name; });
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

bool Graph::has_edge(int source, int target) const {
    return std::any_of(edges.begin(), edges.end(),
                       [&](const Edge& edge) { return connects(edge, source, target, directed); });
}

bool Graph::has_weights() const {
    return std::any_of(edges.begin(), edges.end(),
                       [](const Edge& edge) { return edge.weight != 1; });
}

std::size_t Graph::n_features() const {
    std::size_t n = 0;
    for (const Node& node : nodes) n = std::max(n, node.features.values().size());
    return n;
}

int Graph::add_node(std::string name, float x, float y) {
    if (name.empty()) throw Error("graph", "a node needs a name");
    if (find_node(name) >= 0)
        throw Error("graph", "a node is named \"{}\" already; choose another name", name);
    const std::string drawn_as = free_drawing(*this, name);
    Node node{std::move(name), x, y, 0};
    if (drawn_as != node.name) node.drawn_as = drawn_as;
    nodes.push_back(std::move(node));
    return static_cast<int>(nodes.size()) - 1;
}

void Graph::add_edge(int source, int target) {
    check_node(*this, source);
    check_node(*this, target);
    if (has_edge(source, target))
        throw Error("graph", "the edge {} exists already", edge_text(*this, source, target));
    edges.push_back({source, target});
}

void Graph::remove_edge(int source, int target) {
    check_node(*this, source);
    check_node(*this, target);
    const auto n_removed = std::erase_if(
        edges, [&](const Edge& edge) { return connects(edge, source, target, directed); });
    if (n_removed == 0)
        throw Error("graph", "there is no edge {}", edge_text(*this, source, target));
}

void Graph::remove_node(int node) {
    remove_nodes({&node, 1});
}

void Graph::remove_nodes(std::span<const int> removed) {
    for (const int node : removed) check_node(*this, node);
    std::vector<int> place(nodes.size(), 0);  // −1: removed
    for (const int node : removed) place[node] = -1;
    std::vector<Node> left;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (place[k] < 0) continue;
        place[k] = static_cast<int>(left.size());
        left.push_back(std::move(nodes[k]));
    }
    nodes = std::move(left);
    std::erase_if(edges, [&](const Edge& e) { return place[e.source] < 0 || place[e.target] < 0; });
    for (Edge& edge : edges) edge.source = place[edge.source], edge.target = place[edge.target];
}

void Graph::rename_node(int node, std::string name) {
    check_node(*this, node);
    if (name.empty()) throw Error("graph", "a node needs a name");
    const int same = find_node(name);
    if (same >= 0 && same != node)
        throw Error("graph", "a node is named \"{}\" already; choose another name", name);
    Node& renamed = nodes[node];
    if (renamed.drawn_as.empty()) renamed.drawn_as = renamed.name;
    if (renamed.drawn_as == name) renamed.drawn_as.clear();
    renamed.name = std::move(name);
}

std::string Graph::unused_name() const {
    std::unordered_set<std::string> names;
    for (const Node& node : nodes) names.insert(node.name);
    int number = 0;
    while (names.contains(std::to_string(number))) ++number;
    return std::to_string(number);
}

}  // namespace headlight
