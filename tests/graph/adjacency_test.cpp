#include "graph/adjacency.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"

namespace headlight::adjacency_test {
namespace {

ReadGraph matrix(std::string_view text, Directed directed = Directed::No) {
    REQUIRE(is_adjacency_matrix(text));
    return read_adjacency_matrix(text, directed, "test.csv");
}

ReadGraph list(std::string_view text, Directed directed = Directed::No) {
    return read_adjacency_list(text, directed, "test.adjlist");
}

std::string names(const Graph& graph) {
    std::string joined;
    for (const Node& node : graph.nodes) joined += (joined.empty() ? "" : " ") + node.name;
    return joined;
}

}  // namespace

TEST_CASE("read_adjacency_matrix: a symmetric matrix without names is an undirected graph") {
    for (const char* text :
         {"0,1,0\n1,0,1\n0,1,0\n", "0 1 0\n1 0 1\n0 1 0", "# path\n,1\n1,,1\n,1"}) {
        CAPTURE(text);
        const ReadGraph read = matrix(text);
        CHECK(names(read.graph) == "0 1 2");
        CHECK_FALSE(read.graph.directed);
        CHECK(read.graph.edges == std::vector<Edge>{{0, 1}, {1, 2}});
        CHECK(notes_text(read.notes) == "read as an adjacency matrix");
    }
}

TEST_CASE("read_adjacency_matrix: names stand in the first line, the first column or both") {
    const std::vector<Edge> edges{{0, 1, 2}, {1, 2, 0.5}};
    for (const char* text :
         {",a,b,c\na,0,2,0\nb,2,0,0.5\nc,0,0.5,0\n", "a,b,c\n0,2,0\n2,0,0.5\n0,0.5,0\n",
          "a,0,2,0\nb,2,0,0.5\nc,0,0.5,0\n", "a b c\na 0 2 0\nb 2 0 0.5\nc 0 0.5 0",
          "node;a;b;c\na;0;2;0\nb;2;0;0.5\nc;0;0.5;0"}) {
        CAPTURE(text);
        const Graph graph = matrix(text).graph;
        CHECK(names(graph) == "a b c");
        CHECK(graph.edges == edges);
    }
    CHECK(names(matrix(",a,b\na,0,1\nb,1,0").graph) == "a b");
    CHECK(names(matrix(",10,20\n10,0,1\n20,1,0").graph) == "10 20");
}

TEST_CASE("read_adjacency_matrix: an entry that is no finite number is named") {
    const auto message = [](std::string_view text) -> std::string {
        try {
            matrix(text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK(message(",a,b\na,0,inf\nb,1,0") ==
          "[adjacency matrix] test.csv:2: the entry 'inf' is not a finite number");
    CHECK(message("a 0 1 0\nb 1 0 nan\nc 0 1 0") ==
          "[adjacency matrix] test.csv:2: the entry 'nan' is not a finite number");
    CHECK(message("0,1,0\n1,0,1e-50\n0,1,0") ==
          "[adjacency matrix] test.csv:2: the entry '1e-50' is too small for a number of 32 bits; "
          "write 0, or at least 1.2e-38");
    CHECK_FALSE(is_adjacency_matrix("a b inf\nb c 1\n"));
}

TEST_CASE("read_adjacency_matrix: one that is not symmetric is directed, from row to column") {
    const ReadGraph read = matrix("0 3 0\n0 0 0\n1 0 0");
    CHECK(read.graph.directed);
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 3}, {2, 0}});
    CHECK(notes_text(read.notes) ==
          "read as an adjacency matrix; directed, since it is not symmetric");
    CHECK(matrix("0 1 0\n1 0 0\n0 0 0", Directed::Yes).graph.edges.size() == 2);
}

TEST_CASE("is_adjacency_matrix: three edges with weights are none") {
    for (const char* text : {"0 1 2\n1 2 0.5\n2 3 1", "1 2 3\n2 3 1\n3 1 2", "a b 1\nb c 0\nc a 1",
                             "0 1\n1 0", "0 1 1\n1 2 1", "a b\nb c\nc a", "a b\na 1\nb 2",
                             "0 1 1\n1 2 1\n2 3 1\n3 0 1", "a", "", "1 2 3 4", "0 1 2 3\n1 2\n2"}) {
        CAPTURE(text);
        CHECK_FALSE(is_adjacency_matrix(text));
    }
    CHECK(is_adjacency_matrix("1 0.5 0.2\n0.5 1 0.3\n0.2 0.3 1"));  // names are not 0.5
    CHECK(is_adjacency_matrix("0 5 2\n5 0 3\n2 3 0"));
}

TEST_CASE("read_adjacency_matrix: rows and columns must be as many") {
    const std::string table = "0 1 1 0 1\n1 0 0 1 0\n";
    CHECK(is_adjacency_matrix(table));
    CHECK_THROWS_WITH_AS(read_adjacency_matrix(table, Directed::No, "test.csv"),
                         "[adjacency matrix] test.csv: the matrix of a graph has as many rows as "
                         "columns, all of numbers; here are 2 lines of 5 cells",
                         Error);
}

TEST_CASE("read_adjacency_list: in NetworkX's files a comma belongs to a name") {
    const char* text = "#program\n# GMT Fri Nov 27 12:00:00 2026\n# name\na c,d\nc,d e\ne\n";
    CHECK(is_adjacency_list(text));
    CHECK(names(list(text).graph) == "a c,d e");
    CHECK_THROWS_AS(list("a b c\nb a, c\nc a\n"), Error);
}

TEST_CASE("read_adjacency_list: a line has a node and its neighbours") {
    const char* text = "a b c d\nb c\nc\nd\n";
    CHECK(is_adjacency_list(text));
    const ReadGraph read = list(text);
    CHECK(names(read.graph) == "a b c d");
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 2}});
    CHECK(notes_text(read.notes) == "read as an adjacency list");
    CHECK(list("a: b\nb: a\n", Directed::Yes).graph.edges == std::vector<Edge>{{0, 1}, {1, 0}});
}

TEST_CASE("read_adjacency_list: after a colon the neighbours have commas or blanks between them") {
    for (const char* text :
         {"a: b, c\nb: c\nc:\n", "a: b c\nb: c\nc:\n", "a: b;c\nb: c\n", "b: c\na: b, c\n"}) {
        CAPTURE(text);
        CHECK(is_adjacency_list(text));
        Graph graph = list(text).graph;
        CHECK(graph.nodes.size() == 3);
        CHECK(graph.edges.size() == 3);
        for (const Node& node : graph.nodes) CHECK(node.name.size() == 1);
    }
    CHECK(names(list("Anna Lena: Ben, Carla\nBen: Anna Lena\n").graph) == "Anna Lena Ben Carla");
    for (const char* text : {"Star Wars: A, Luke\nLuke, Leia\n", "name: Anna\nage: 3\n",
                             "a: b, c: d\ne: f\n", "a: b, c\na: d\n"}) {
        CAPTURE(text);
        CHECK_FALSE(is_adjacency_list(text));
    }
}

TEST_CASE("is_adjacency_list: every node has one line, and no line can be an edge with a weight") {
    for (const char* text : {"0 1 2\n1 2\n2", "a b c d\nb\nc\nd", "a: b c\nb: c\nc: a",
                             "0 1 2 3\n1 0 2 3\n2 0 1 3\n3 0 1 2",
                             "#program\n# GMT Fri Nov 27 12:00:00 2026\n# name\na b\nb c\nc\n"}) {
        CAPTURE(text);
        CHECK(is_adjacency_list(text));
    }
    for (const char* text : {"a b\nb c\nc", "a b 0.5\nb c\nc d", "1 2 3\n2 3 1\n3 1 2", "a b c d",
                             "0 1 2 3\n1 0 1 2\n2 1 0 1\n3 2 1 0", "a: [b, c]\nb: []", "a\nb\na"}) {
        CAPTURE(text);
        CHECK_FALSE(is_adjacency_list(text));
    }
}

TEST_CASE("read_sif: a line has a node, the kind of edge, and targets") {
    const ReadGraph read = read_sif("1 pp 2\n2 pd 3 1\n4\n", Directed::No, "test.sif");
    CHECK(names(read.graph) == "1 2 3 4");
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1}, {1, 2}});
    CHECK(notes_text(read.notes) ==
          "1 duplicate edge left out, kinds of edges without effect: 'pp', 'pd'");
    const Graph tabs = read_sif("TP53 gene\tinteracts with\tMDM2", Directed::Yes, "test.sif").graph;
    CHECK(names(tabs) == "TP53 gene MDM2");
    CHECK(tabs.directed);
    CHECK_THROWS_WITH_AS(
        read_sif("a b", Directed::No, "test.sif"),
        "[SIF] test.sif:1: this line has two cells; in SIF it has a node, the kind "
        "of edge, and one or more targets, or a node by itself",
        Error);
}

}  // namespace headlight::adjacency_test
