#include "graph/pajek.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"

namespace headlight::pajek_test {
namespace {

ReadGraph parse(std::string_view text) {
    REQUIRE(is_pajek(text));
    return read_pajek(text, "test.net");
}

std::string message(const std::string& text) {
    try {
        read_pajek(text, "test.net");
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

}  // namespace

TEST_CASE("read_pajek: vertices with labels, places and groups; edges with weights") {
    const ReadGraph read = parse(
        "% by hand\r\n*Network Two\r\n*Vertices 3\r\n1 \"Ann Lee\" 0.1 0.2 0.5 ellipse club red ic "
        "Blue\r\n2 Bo 0.9 0.5 0.5 ellipse club blue\r\n3 Cy 0.5 0.5 0.5 box club "
        "red\r\n*Edges\r\n1 2 2.5\r\n2 3\r\n");
    CHECK(read.graph.title == "Two");
    CHECK_FALSE(read.graph.directed);
    REQUIRE(read.graph.nodes.size() == 3);
    CHECK(read.graph.nodes[0].name == "Ann Lee");
    CHECK(read.graph.nodes[0].x == 0.1f);
    CHECK(read.graph.nodes[1].group == 2);
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 2.5f}, {1, 2}});
    CHECK(notes_text(read.notes) ==
          "without effect: attribute 'ic' of nodes, groups 1 'red', 2 'blue'");
}

TEST_CASE("read_pajek: nodes without a line are numbers; lists and a matrix are edges") {
    const Graph lists = parse("*vertices 4\n2 b\n*arcslist\n1 2 3\n4 1\n").graph;
    CHECK(lists.directed);
    CHECK(lists.nodes[0].name == "1");
    CHECK(lists.nodes[1].name == "b");
    CHECK(lists.edges == std::vector<Edge>{{0, 1}, {0, 2}, {3, 0}});
    const Graph matrix = parse("*vertices 2\n*matrix\n0 3\n0 0\n").graph;
    CHECK(matrix.edges == std::vector<Edge>{{0, 1, 3}});
}

TEST_CASE("read_pajek: arcs beside edges make a directed graph, with a note") {
    const ReadGraph read = parse("*Vertices 3\n*Arcs\n1 2\n*Edges\n2 3 4\n");
    CHECK(read.graph.directed);
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1}, {1, 2, 4}, {2, 1, 4}});
    CHECK(notes_text(read.notes) ==
          "1 undirected edge of a directed graph taken as one edge each way");
}

TEST_CASE("read_pajek: broken text is an error with the line") {
    CHECK(message("*Vertices 2\n*Edges\n1 3\n") ==
          "[Pajek] test.net:3: '3' is not the number of a node, 1 to 2");
    CHECK(
        message("*Vertices 2\n*Partition p\n1\n") ==
        "[Pajek] test.net:2: the section '*Partition' cannot be read; save one network by itself");
    CHECK(message("*Vertices\n") ==
          "[Pajek] test.net:1: *Vertices must be followed by the number of nodes");
    CHECK(message("*Vertices 9999999999\n") ==
          "[Pajek] test.net:1: there are more than 200,000 nodes; use a part of the graph");
    CHECK(message("*Vertices 2\n*Matrix\n0 1\n") ==
          "[Pajek] test.net:3: rows of the matrix are missing; the file is incomplete");
    CHECK(message("*Vertices 2\n1 a\n1 b\n") ==
          "[Pajek] test.net:3: the node 1 comes twice; keep one");
}

}  // namespace headlight::pajek_test
