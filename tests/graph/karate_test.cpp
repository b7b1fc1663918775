#include <algorithm>
#include <doctest/doctest.h>

#include "graph/built_in_graphs.h"

namespace headlight::karate_test {
namespace {

int degree(const Graph& graph, int node) {
    return static_cast<int>(std::count_if(graph.edges.begin(), graph.edges.end(), [&](Edge edge) {
        return edge.source == node || edge.target == node;
    }));
}

int count_triangles(const Graph& graph) {
    const auto n_nodes = static_cast<int>(graph.nodes.size());
    int n_triangles = 0;
    for (const Edge& edge : graph.edges)
        for (int node = 0; node < n_nodes; ++node)
            n_triangles += graph.has_edge(edge.source, node) && graph.has_edge(edge.target, node);
    return n_triangles / 3;  // each triangle was counted for each of its edges
}

}  // namespace

TEST_CASE("karate_club: it has 34 members named by number, and 78 pairs") {
    const Graph graph = karate_club();
    CHECK(graph.title == "Zachary's karate club");
    CHECK_FALSE(graph.directed);
    CHECK(graph.nodes.size() == 34);
    CHECK(graph.edges.size() == 78);
    for (int k = 0; k < 34; ++k) CHECK(graph.nodes[k].name == std::to_string(k));
}

TEST_CASE("karate_club: degrees and triangles match Zachary's paper") {
    const Graph graph = karate_club();
    CHECK(degree(graph, 0) == 16);
    CHECK(degree(graph, 33) == 17);
    CHECK(degree(graph, 32) == 12);
    CHECK(degree(graph, 11) == 1);
    CHECK(count_triangles(graph) == 45);
}

TEST_CASE("karate_club: the groups are the two clubs after the split") {
    const Graph graph = karate_club();
    const auto in_group_1 = [](const Node& node) { return node.group == 1; };
    CHECK(std::count_if(graph.nodes.begin(), graph.nodes.end(), in_group_1) == 17);
    for (const int node : {0, 1, 8, 10, 13, 16, 17, 19, 21}) CHECK(graph.nodes[node].group == 0);
    for (const int node : {9, 14, 15, 18, 20, 22, 33}) CHECK(graph.nodes[node].group == 1);
}

TEST_CASE("karate_club: the layout puts the two clubs on two sides") {
    const Graph graph = karate_club();
    float x_of_group[2] = {0, 0};
    for (const Node& node : graph.nodes) x_of_group[node.group] += node.x / 17;
    CHECK(x_of_group[1] - x_of_group[0] > 0.3f);
}

}  // namespace headlight::karate_test
