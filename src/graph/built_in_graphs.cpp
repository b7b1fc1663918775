#include "graph/built_in_graphs.h"

#include <cmath>
#include <numbers>
#include <unordered_set>

#include "embedded_graphs.h"
#include "graph/edge_list.h"
#include "graph/layout.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Writes 12 as "₁₂".
std::string subscript(int number) {
    std::string text;
    for (const char digit : std::to_string(number))
        text += std::string("\xe2\x82") + static_cast<char>('\x80' + (digit - '0'));
    return text;
}

/// Places nodes on a circle in the picture of kLayoutAspect, which leaves the sides free.
void place_on_circle(std::vector<Node>& nodes) {
    constexpr double kRadius = 0.46;
    for (std::size_t i = 0; i < nodes.size() && nodes.size() > 1; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(nodes.size());
        const double angle = 2 * std::numbers::pi * part;
        nodes[i].x = static_cast<float>(0.5 + kRadius / kLayoutAspect * std::sin(angle));
        nodes[i].y = static_cast<float>(0.5 - kRadius * std::cos(angle));
    }
}

}  // namespace

Graph complete_graph(const std::vector<std::string>& words) {
    Graph graph;
    std::unordered_set<std::string> taken;
    for (const std::string& word : words) {
        std::string name = word;  // or the first free "word₂", "word₃" …
        for (int number = 2; !taken.insert(name).second; ++number) name = word + subscript(number);
        graph.nodes.push_back({name, 0.5f, 0.5f, 0, word});
        append_part(graph.title, " ", word);
    }
    place_on_circle(graph.nodes);
    const int n = static_cast<int>(graph.nodes.size());
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) graph.edges.push_back({i, j});
    return graph;
}

Graph karate_club() {
    constexpr auto kFile = "karate.edges";
    Graph graph = read_edge_list(embedded_graphs(kFile), Directed::No, kFile).graph;
    graph.title = "Zachary's karate club";
    lay_out(graph);
    return graph;
}

}  // namespace headlight
