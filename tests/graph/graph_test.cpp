#include "graph/graph.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace headlight::graph_test {
namespace {

/// a – b – c, and a self-edge at c.
Graph small_graph(bool directed = false) {
    Graph graph;
    graph.directed = directed;
    for (const char* name : {"a", "b", "c"}) graph.add_node(name, 0.5f, 0.5f);
    graph.add_edge(0, 1);
    graph.add_edge(1, 2);
    graph.add_edge(2, 2);
    return graph;
}

/// Checks that the edit throws this message and changes nothing.
template <typename Edit>
void check_refused(Graph graph, Edit edit, const char* message) {
    const Graph before = graph;
    CHECK_THROWS_WITH_AS(edit(graph), message, Error);
    CHECK(graph == before);
}

}  // namespace

TEST_CASE("Graph: finds nodes by name and edges by their ends") {
    const Graph graph = small_graph();
    CHECK(graph.find_node("c") == 2);
    CHECK(graph.find_node("d") == -1);
    CHECK(graph.has_edge(0, 1));
    CHECK(graph.has_edge(2, 2));
    CHECK_FALSE(graph.has_edge(0, 2));
}

TEST_CASE("Graph: a directed edge has an order, an undirected one has none") {
    CHECK(small_graph(false).has_edge(1, 0));
    CHECK_FALSE(small_graph(true).has_edge(1, 0));
    Graph directed = small_graph(true);
    directed.add_edge(1, 0);
    directed.remove_edge(0, 1);
    CHECK(directed.edges == std::vector<Edge>{{1, 2}, {2, 2}, {1, 0}});
    Graph undirected = small_graph();
    undirected.remove_edge(1, 0);
    CHECK(undirected.edges == std::vector<Edge>{{1, 2}, {2, 2}});
}

TEST_CASE("Graph: a new node gets the next index and its position") {
    Graph graph = small_graph();
    CHECK(graph.add_node("d", 0.25f, 0.75f) == 3);
    CHECK(graph.nodes[3] == Node{"d", 0.25f, 0.75f, 0});
}

TEST_CASE("Graph: removing a node removes its edges and moves later indices down") {
    Graph graph = small_graph();
    graph.add_node("d", 0, 0);
    graph.add_edge(3, 2);
    graph.remove_node(1);
    CHECK(graph.nodes.size() == 3);
    CHECK(graph.find_node("d") == 2);
    CHECK(graph.edges == std::vector<Edge>{{1, 1}, {2, 1}});
}

TEST_CASE("Graph: removing every node leaves an empty graph") {
    Graph graph = small_graph();
    while (!graph.nodes.empty()) graph.remove_node(0);
    CHECK(graph.edges.empty());
}

TEST_CASE("Graph: the next unused name is the smallest free number") {
    Graph graph;
    CHECK(graph.unused_name() == "0");
    for (const char* name : {"0", "1", "3", "x"}) graph.add_node(name, 0, 0);
    CHECK(graph.unused_name() == "2");
}

TEST_CASE("Graph: an impossible edit says why and changes nothing") {
    const Graph graph = small_graph();
    check_refused(
        graph, [](Graph& g) { g.add_node("", 0, 0); }, "[graph] a node needs a name");
    check_refused(
        graph, [](Graph& g) { g.add_node("b", 0, 0); },
        "[graph] a node is named \"b\" already; choose another name");
    check_refused(
        graph, [](Graph& g) { g.add_edge(1, 0); }, "[graph] the edge b – a exists already");
    check_refused(
        small_graph(true), [](Graph& g) { g.add_edge(0, 1); },
        "[graph] the edge a → b exists already");
    check_refused(
        graph, [](Graph& g) { g.add_edge(0, 3); },
        "[graph] there is no node with index 3; the graph has 3 nodes");
    check_refused(
        graph, [](Graph& g) { g.remove_edge(0, 2); }, "[graph] there is no edge a – c");
    check_refused(
        graph, [](Graph& g) { g.remove_edge(-1, 2); },
        "[graph] there is no node with index -1; the graph has 3 nodes");
    check_refused(
        graph, [](Graph& g) { g.remove_node(3); },
        "[graph] there is no node with index 3; the graph has 3 nodes");
}

TEST_CASE("Graph: several nodes are removed together, in any order") {
    Graph graph = small_graph();
    const std::vector<int> removed{2, 0};
    graph.remove_nodes(removed);
    REQUIRE(graph.nodes.size() == 1);
    CHECK(graph.nodes[0].name == "b");
    CHECK(graph.edges.empty());
    check_refused(
        small_graph(),
        [](Graph& g) {
            g.remove_nodes(std::vector<int>{0, 7});
        },
        "[graph] there is no node with index 7; the graph has 3 nodes");
}

TEST_CASE("Graph: a renamed node keeps its drawn features, and no other node gets them") {
    Graph graph = small_graph();
    const std::string key = embedding_key(graph.nodes[1]);
    graph.rename_node(1, "Anna");
    CHECK(embedding_key(graph.nodes[1]) == key);
    graph.rename_node(1, "Ben");
    CHECK(embedding_key(graph.nodes[1]) == key);
    const int other = graph.add_node("b", 0.5f, 0.5f);
    CHECK(embedding_key(graph.nodes[other]) != key);
    graph.remove_nodes(std::vector<int>{other});
    graph.rename_node(1, "b");
    CHECK(graph == small_graph());
}

TEST_CASE("Graph: a node gets another name, but not that of a second one") {
    Graph graph = small_graph();
    graph.rename_node(1, "Anna");
    CHECK(graph.find_node("Anna") == 1);
    graph.rename_node(1, "Anna");
    check_refused(
        graph, [](Graph& g) { g.rename_node(1, "a"); },
        "[graph] a node is named \"a\" already; choose another name");
    check_refused(
        graph, [](Graph& g) { g.rename_node(1, ""); }, "[graph] a node needs a name");
}

}  // namespace headlight::graph_test
