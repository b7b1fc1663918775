#include "core/edges.h"

#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::edges_test {

TEST_CASE("make_edges: edges are sorted by row, then neighbour, without duplicates") {
    const Edges edges = make_edges(4, {{3, 0}, {0, 2}, {0, 1}, {3, 0}, {3, 3}});
    CHECK(edges.row == std::vector<Index>{0, 0, 3, 3});
    CHECK(edges.neighbour == std::vector<Index>{1, 2, 0, 3});
    CHECK(edges.offsets == std::vector<Index>{0, 2, 2, 2, 4});
    CHECK(edges.size() == 4);
    CHECK(edges == make_edges(4, {{0, 1}, {0, 2}, {3, 3}, {3, 0}}));
    CHECK_FALSE(edges == make_edges(5, {{0, 1}, {0, 2}, {3, 3}, {3, 0}}));
}

TEST_CASE("make_edges: a graph may have no edges") {
    CHECK(make_edges(2, {}).offsets == std::vector<Index>{0, 0, 0});
    CHECK(make_edges(0, {}).size() == 0);
}

TEST_CASE("make_edges: an index outside the graph is an error") {
    CHECK(error_of([] {
              make_edges(2, {{0, 2}});
          }) == "[edges] edge 0 ← 2 names a node outside 0 … 1");
    CHECK(error_of([] {
              make_edges(2, {{-1, 0}});
          }) == "[edges] edge -1 ← 0 names a node outside 0 … 1");
}

}  // namespace headlight::edges_test
