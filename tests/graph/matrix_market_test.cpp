#include "graph/matrix_market.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"

namespace headlight::matrix_market_test {
namespace {

ReadGraph parse(const std::string& text) {
    return read_matrix_market(text, "test.mtx");
}

const std::string kHead = "%%MatrixMarket matrix ";

}  // namespace

TEST_CASE("read_matrix_market: an entry is an edge from its row to its column") {
    const Graph graph =
        parse(kHead +
              "coordinate real general\n% a comment\n3 3 3\n1 2 0.5\n\n3 1 -2\n% more\n2 2 1\n")
            .graph;
    CHECK(graph.directed);
    REQUIRE(graph.nodes.size() == 3);
    CHECK(graph.nodes[2].name == "3");
    CHECK(graph.edges == std::vector<Edge>{{0, 1, 0.5f}, {2, 0, -2}, {1, 1, 1}});
}

TEST_CASE("read_matrix_market: a symmetric pattern is an undirected graph without weights") {
    const Graph graph = parse(kHead + "coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n").graph;
    CHECK_FALSE(graph.directed);
    CHECK(graph.edges == std::vector<Edge>{{1, 0}, {2, 2}});
    CHECK_FALSE(graph.has_weights());
}

TEST_CASE("read_matrix_market: both halves of a skew-symmetric matrix are edges") {
    const Graph graph = parse(kHead + "coordinate integer skew-symmetric\n2 2 1\n2 1 4\n").graph;
    CHECK(graph.edges == std::vector<Edge>{{1, 0, 4}, {0, 1, -4}});
}

TEST_CASE("read_matrix_market: an array is read column by column, and 0 is no edge") {
    CHECK(parse(kHead + "array real general\n2 2\n0\n5\n7\n0\n").graph.edges ==
          std::vector<Edge>{{1, 0, 5}, {0, 1, 7}});
    CHECK(parse(kHead + "array real symmetric\n2 2\n1\n5\n0\n").graph.edges ==
          std::vector<Edge>{{0, 0, 1}, {1, 0, 5}});
}

TEST_CASE("read_matrix_market: the banner may have any case") {
    CHECK(
        parse("%%matrixmarket MATRIX Coordinate Pattern General\n1 1 1\n1 1").graph.edges.size() ==
        1);
}

}  // namespace headlight::matrix_market_test
