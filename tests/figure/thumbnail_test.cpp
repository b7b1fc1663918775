#include <algorithm>
#include <doctest/doctest.h>
#include <random>
#include <vector>

#include "core/error.h"
#include "figure/read_lines.h"

namespace headlight::thumbnail_test {

TEST_CASE("pooled_pattern: a small graph gives its whole matrix") {
    const WeightedEdge edges[] = {{0, 1, Scalar(0.25)}, {2, 0, 1}};
    const Matrix m = pooled_pattern(edges, 3);
    CHECK(m.rows() == 3);
    CHECK(m(0, 1) == Scalar(0.25));
    CHECK(m(2, 0) == 1);
    CHECK(m.sum() == Scalar(1.25));
    CHECK(pooled_pattern({}, 0).size() == 0);
}

TEST_CASE("pooled_pattern: every edge is visible, and no cell shows more than its edges") {
    std::mt19937 random(8);
    std::vector<WeightedEdge> edges;
    Matrix full = Matrix::Zero(300, 300);
    for (int k = 0; k < 2000; ++k) {
        const WeightedEdge edge{static_cast<int>(random() % 300), static_cast<int>(random() % 300),
                                static_cast<Scalar>(random() % 1000) / 1000};
        edges.push_back(edge);
        full(edge.i, edge.j) = std::max(full(edge.i, edge.j), edge.alpha);
    }
    const Matrix m = pooled_pattern(edges, 300, 100);
    REQUIRE(m.rows() == 100);
    for (Index i = 0; i < 100; ++i)
        for (Index j = 0; j < 100; ++j) CHECK(m(i, j) == full.block(3 * i, 3 * j, 3, 3).maxCoeff());
}

TEST_CASE("pooled_pattern: an edge outside the graph is an error") {
    const WeightedEdge edges[] = {{0, 3, 1}};
    CHECK_THROWS_WITH_AS(pooled_pattern(edges, 3),
                         "[thumbnail] edge 3 → 0 leaves a graph of 3 nodes", Error);
}

}  // namespace headlight::thumbnail_test
