#include "io/graphs/json_graphs.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace headlight::json_graphs_test {
namespace {

ReadGraph parse(const std::string& text, Directed directed = Directed::No) {
    const JsonSource source{"input.json", parse_json(text, "input.json")};
    REQUIRE(is_json_graph(source));
    return read_json_graph(source, directed);
}

}  // namespace

TEST_CASE("read_json_graph: a file that NetworkX wrote is read") {
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

TEST_CASE("read_json_graph: D3's format is read: indices if nodes have no id, nodes within links") {
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

TEST_CASE("read_json_graph: a list of features is read, and the default direction can be given") {
    const ReadGraph read =
        parse(R"({"nodes": [{"id": "a", "features": [1, 2.5]}], "links": []})", Directed::Yes);
    CHECK(read.graph.nodes[0].features == Features({1, 2.5}));
    CHECK(read.graph.directed);
}

TEST_CASE("is_json_graph: a study is not a node-link graph") {
    const auto is_one = [](const char* text) {
        return is_json_graph({"input.json", parse_json(text, "input.json")});
    };
    CHECK(is_one(R"({"nodes": []})"));
    CHECK_FALSE(is_one(R"({"kind": "graph", "nodes": []})"));
    CHECK_FALSE(is_one(R"({"headlight": 1, "edges": []})"));
    CHECK_FALSE(is_one("[]"));
}

TEST_CASE("read_json_graph: D3's value is the weight, unless there is one") {
    const ReadGraph read = parse(
        R"({"nodes": [{"id": "a"}, {"id": "b"}], "links": [
            {"source": "a", "target": "b", "value": 8}, {"source": "b", "target": "b", "value": 2, "weight": 3}]})");
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 8}, {1, 1, 3}});
}

TEST_CASE("read_json_graph: vis.js and Graphology name nodes and ends in their own way") {
    const ReadGraph vis = parse(
        R"({"nodes": [{"id": 1, "label": "Ann"}, {"id": 2, "label": "Bo"}], "edges": [{"from": 1, "to": 2, "dashes": true}]})");
    CHECK(vis.graph.nodes[1].name == "Bo");
    CHECK(vis.graph.edges == std::vector<Edge>{{0, 1}});
    CHECK(notes_text(vis.notes) == "without effect: attribute 'dashes' of edges");
    const ReadGraph graphology = parse(
        R"({"options": {"type": "mixed"}, "attributes": {}, "nodes": [
            {"key": "a", "attributes": {"x": 1, "y": 0, "age": 3}}, {"key": "b", "attributes": {"x": 2, "y": 3, "age": 4}}],
            "edges": [{"key": "e", "source": "b", "target": "a", "attributes": {"weight": 2}},
                      {"source": "a", "target": "a", "undirected": true}]})");
    CHECK(graphology.graph.directed);
    CHECK(graphology.graph.nodes[0].name == "a");
    CHECK(graphology.graph.nodes[0].x < graphology.graph.nodes[1].x);
    CHECK(graphology.graph.nodes[1].features == Features({4}));
    CHECK(graphology.graph.edges == std::vector<Edge>{{1, 0, 2}, {0, 0}});
}

TEST_CASE("read_json_graph: Cytoscape.js has elements, in two lists or one") {
    const ReadGraph lists = parse(
        R"({"data": {"name": "Net"}, "elements": {"nodes": [
            {"data": {"id": "1", "name": "TP53", "SUID": 61, "value": "1"}, "position": {"x": 0, "y": 5}, "selected": false},
            {"data": {"id": "2", "name": "MDM2", "SUID": 62, "value": "2"}, "position": {"x": 9, "y": 5}}],
            "edges": [{"data": {"id": "3", "source": "1", "target": "2", "weight": 0.5, "interaction": "pp"}}]}})");
    CHECK(lists.graph.title == "Net");
    CHECK(lists.graph.nodes[0].name == "TP53");
    CHECK(lists.graph.nodes[0].x < lists.graph.nodes[1].x);
    CHECK(lists.graph.n_features() == 0);
    CHECK(lists.graph.edges == std::vector<Edge>{{0, 1, 0.5f}});
    CHECK(notes_text(lists.notes) == "without effect: attribute 'interaction' of edges");
    const ReadGraph flat = parse(
        R"([{"data": {"source": "a", "target": "b"}}, {"data": {"id": "a"}}, {"data": {"id": "b"}}])",
        Directed::Yes);
    CHECK(flat.graph.directed);
    CHECK(flat.graph.edges == std::vector<Edge>{{0, 1}});
}

TEST_CASE("read_json_graph: JSON Graph Format, with nodes as an object or a list") {
    const ReadGraph read = parse(
        R"({"graph": {"label": "Net", "directed": true, "nodes": {"a": {"label": "Ann", "metadata": {"age": 3}},
            "b": {"label": "Bo", "metadata": {"age": 4}}}, "edges": [
            {"source": "a", "target": "b", "relation": "knows", "metadata": {"weight": 2}}]}})");
    CHECK(read.graph.title == "Net");
    CHECK(read.graph.directed);
    CHECK(read.graph.nodes[0].name == "Ann");
    CHECK(read.graph.nodes[1].features == Features({4}));
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 2}});
    CHECK(
        parse(
            R"({"graph": {"nodes": [{"id": "x"}, {"id": "y"}], "edges": [{"source": "x", "target": "y"}]}})")
            .graph.edges.size() == 1);
}

TEST_CASE("read_json_graph: lists of neighbours and of edges") {
    const ReadGraph adjacency = parse(
        R"({"directed": false, "graph": [], "nodes": [{"id": 0}, {"id": 1}, {"id": 2}],
            "adjacency": [[{"id": 1, "weight": 4}], [{"id": 0, "weight": 4}, {"id": 2}], [{"id": 1}]]})");
    CHECK(adjacency.graph.edges == std::vector<Edge>{{0, 1, 4}, {1, 2}});
    CHECK(notes_text(adjacency.notes) == "");
    const ReadGraph dictionary = parse(R"({"a": ["b"], "b": ["a", "c"], "c": []})");
    CHECK(dictionary.graph.edges == std::vector<Edge>{{0, 1}, {1, 2}});
    CHECK(notes_text(dictionary.notes) == "");
    CHECK(parse(R"({"a": ["b"], "b": ["a"]})", Directed::Yes).graph.edges.size() == 2);
    CHECK(parse(R"([["a", "b"], ["b", 3, 0.5]])").graph.edges ==
          std::vector<Edge>{{0, 1}, {1, 2, 0.5f}});
    CHECK(parse(R"([{"source": "a", "target": "b", "weight": 2}])").graph.edges ==
          std::vector<Edge>{{0, 1, 2}});
}

TEST_CASE("read_json_graph: a tree and several graphs are refused by name") {
    CHECK_THROWS_WITH_AS(parse(R"({"name": "root", "children": [{"name": "leaf"}]})"),
                         "[input.json] line 1: holds a tree, as \"children\"; write its edges as a "
                         "list: [[\"parent\", \"child\"], …]",
                         Error);
    CHECK_THROWS_WITH_AS(parse(R"({"graphs": [{}, {}]})"),
                         "[input.json] line 1, graphs: holds 2 graphs; a file with one, as "
                         "\"graph\", can be read",
                         Error);
}

}  // namespace headlight::json_graphs_test
