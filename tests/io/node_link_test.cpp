#include "io/graphs/node_link.h"

#include <doctest/doctest.h>

namespace headlight::node_link_test {
namespace {

ReadGraph parse(const std::string& text, Directed directed = Directed::No) {
    const JsonSource source{"input.json", parse_json(text, "input.json")};
    REQUIRE(is_node_link(source));
    return read_node_link(source, directed);
}

}  // namespace

TEST_CASE("read_node_link: a file that NetworkX wrote is read") {
    const ReadGraph read = parse(
        R"({"directed": true, "multigraph": false, "graph": {"name": "Two"}, "nodes": [
            {"id": "a", "club": "red", "age": 3}, {"id": 7, "club": "blue", "age": 4.5}],
            "links": [{"source": 7, "target": "a", "weight": 0.25}]})");
    CHECK(read.graph.title == "Two");
    CHECK(read.graph.directed);
    REQUIRE(read.graph.nodes.size() == 2);
    CHECK(read.graph.nodes[1].name == "7");
    CHECK(read.graph.nodes[1].group == 2);
    CHECK(read.graph.nodes[1].features == Features({4.5}));
    CHECK(read.graph.edges == std::vector<Edge>{{1, 0, 0.25f}});
}

TEST_CASE("read_node_link: D3's format is read: indices if nodes have no id, nodes within links") {
    const ReadGraph by_index = parse(
        R"({"nodes": [{"name": "Myriel", "group": 1}, {"name": "Napoleon", "group": 0}],
            "links": [{"source": 1, "target": 0, "value": 1}]})");
    CHECK(by_index.graph.nodes[0].name == "Myriel");
    CHECK(by_index.graph.nodes[0].group == 1);
    CHECK(by_index.graph.nodes[1].group == 0);
    CHECK(by_index.graph.edges == std::vector<Edge>{{1, 0}});
    const ReadGraph inside = parse(
        R"({"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": {"id": "a"}, "target": {"id": "b"}}]})");
    CHECK(inside.graph.edges == std::vector<Edge>{{0, 1}});
    CHECK(parse(R"({"nodes": ["a", "b"], "links": []})").graph.nodes[1].name == "b");
}

TEST_CASE("read_node_link: a list of features is read, and the default direction can be given") {
    const ReadGraph read =
        parse(R"({"nodes": [{"id": "a", "features": [1, 2.5]}], "links": []})", Directed::Yes);
    CHECK(read.graph.nodes[0].features == Features({1, 2.5}));
    CHECK(read.graph.directed);
}

TEST_CASE("is_node_link: a study is not a node-link graph") {
    const auto is_one = [](const char* text) {
        return is_node_link({"input.json", parse_json(text, "input.json")});
    };
    CHECK(is_one(R"({"nodes": []})"));
    CHECK_FALSE(is_one(R"({"kind": "graph", "nodes": []})"));
    CHECK_FALSE(is_one(R"({"headlight": 1, "edges": []})"));
    CHECK_FALSE(is_one("[]"));
}

}  // namespace headlight::node_link_test
