#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "graph/built_in_graphs.h"

namespace headlight::complete_graph_test {
namespace {

std::vector<std::string> names_of(const Graph& graph) {
    std::vector<std::string> names;
    for (const Node& node : graph.nodes) names.push_back(node.name);
    return names;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("complete_graph: every pair of words is an edge, once") {
    const Graph graph = complete_graph({"it", "was", "too", "tired"});
    CHECK_FALSE(graph.directed);
    CHECK(graph.title == "it was too tired");
    CHECK(names_of(graph) == Words{"it", "was", "too", "tired"});
    CHECK(graph.edges.size() == 6);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) CHECK(graph.has_edge(i, j) == (i != j));
}

TEST_CASE("complete_graph: equal words have different names and equal embeddings") {
    const Graph graph = complete_graph({"the", "cat", "the", "the"});
    CHECK(names_of(graph) == Words{"the", "cat", "the₂", "the₃"});
    CHECK(embedding_key(graph.nodes[0]) == "word:the");
    CHECK(embedding_key(graph.nodes[3]) == "word:the");
    CHECK(embedding_key(graph.nodes[1]) == "word:cat");
}

TEST_CASE("complete_graph: a word that looks like a numbered one does not cause equal names") {
    const Graph graph = complete_graph({"a", "a₂", "a", "a", "a₂"});
    const Words names = names_of(graph);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 5);
    std::vector<std::string> many(12, "so");
    CHECK(complete_graph(many).nodes.back().name == "so₁₂");
}

TEST_CASE("complete_graph: positions are different and lie on a circle inside the picture") {
    const Graph graph = complete_graph(std::vector<std::string>(30, "la"));
    std::set<std::pair<float, float>> places;
    for (const Node& node : graph.nodes) {
        CHECK(std::abs(node.x - 0.5f) <= 0.46f);
        CHECK(std::abs(node.y - 0.5f) <= 0.46f + 1e-6f);
        places.insert({node.x, node.y});
    }
    CHECK(places.size() == 30);
    CHECK(graph.nodes[0].y < graph.nodes[15].y);
}

TEST_CASE("complete_graph: no words and one word are allowed") {
    CHECK(complete_graph({}).nodes.empty());
    const Graph one = complete_graph({"it"});
    CHECK(one.nodes.size() == 1);
    CHECK(one.nodes[0].x == 0.5f);
    CHECK(one.edges.empty());
}

TEST_CASE("embedding_key: a node without a word uses its name") {
    CHECK(embedding_key(Node{.name = "33"}) == "node:33");
    CHECK(embedding_key(Node{.name = "the₂", .word = "the"}) == "word:the");
}

}  // namespace headlight::complete_graph_test
