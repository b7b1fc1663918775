// Test cases of graph operations, and the laws of ranking.
#include <cmath>
#include <doctest/doctest.h>

#include "core/operation_cases.h"
#include "core/operations/graph_operations.h"
#include "core/studies.h"

namespace headlight {
namespace {

struct GraphCases {
    std::vector<OperationCase>& cases;
    std::string which;
    std::shared_ptr<const Edges> edges;

    void add(const char* name, const Operation& operation, std::vector<Matrix> inputs,
             std::pair<Index, Index> shape, Scalar scale = 1) {
        cases.push_back({std::string(name) + ", " + which,
                         &operation,
                         std::move(inputs),
                         {.scale = scale, .edges = edges},
                         shape.first,
                         shape.second});
    }
};

void add_along_edges(GraphCases cases, Index d) {
    const Index n = cases.edges->n_nodes, E = cases.edges->size();
    const Matrix dst = random_matrix(n, d, 1), src = random_matrix(n, d, 2),
                 edge = random_matrix(E, d, 3);
    const Matrix a = random_matrix(d, 1, 4), alpha = random_matrix(E, 1, 5);
    cases.add("edge feature scores", operations::edge_feature_scores,
              {random_matrix(n, 1, 1), random_matrix(n, 1, 2), random_matrix(E, 1, 3)}, {E, 1});
    cases.add("edge pair scores", operations::edge_pair_scores, {dst, src, a}, {E, 1}, Scalar(0.2));
    cases.add("edge pair scores with features", operations::edge_pair_scores, {dst, src, a, edge},
              {E, 1}, Scalar(0.2));
    cases.add("edge dot scores", operations::edge_dot_scores, {dst, src}, {E, 1},
              1 / std::sqrt(static_cast<Scalar>(d)));
    cases.add("edge dot scores with features", operations::edge_dot_scores, {dst, src, edge},
              {E, 1}, Scalar(-0.7));
    cases.add("edge feature mix", operations::edge_feature_mix, {alpha, src, edge}, {n, d});
}

void add_features(std::vector<OperationCase>& cases) {
    const auto edges = std::make_shared<const Edges>(small_edges());
    const auto names = std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"a", "b", "c", "d", "e", "f"});
    cases.push_back({"edge features",
                     &operations::edge_features,
                     {},
                     {.scale = Scalar(0.5), .seed = 7, .names = names, .edges = edges},
                     edges->size(),
                     3});
}

void add_all_pairs(std::vector<OperationCase>& cases, Index n, Index d) {
    const std::string which = ", " + std::to_string(n) + " nodes";
    cases.push_back({"all sum scores" + which,
                     &operations::all_sum_scores,
                     {random_matrix(n, 1, 1), random_matrix(n, 1, 2)},
                     {.scale = Scalar(0.2)},
                     n,
                     n});
    cases.push_back({"all pair scores" + which,
                     &operations::all_pair_scores,
                     {random_matrix(n, d, 1), random_matrix(n, d, 2), random_matrix(d, 1, 3)},
                     {.scale = Scalar(0.2)},
                     n,
                     n});
    cases.push_back({"ranking" + which, &operations::ranking, {random_matrix(n, n, 1)}, {}, n, n});
}

}  // namespace

void add_graph_cases(std::vector<OperationCase>& cases) {
    const auto shared = [](Edges edges) { return std::make_shared<const Edges>(std::move(edges)); };
    add_along_edges({cases, "with an empty row", shared(small_edges())}, 3);
    add_along_edges({cases, "no edge", shared(make_edges(3, {}))}, 2);
    add_along_edges({cases, "one node", shared(make_edges(1, {{0, 0}}))}, 1);
    add_features(cases);
    add_all_pairs(cases, 5, 9);
    add_all_pairs(cases, 1, 1);
}

}  // namespace headlight

using namespace headlight;

namespace {

Matrix ranked(const Matrix& scores) {
    return OperationCase{"ranking", &operations::ranking, {scores},
                         {},        scores.rows(),        scores.cols()}
        .forward();
}

/// The features of every edge among nodes of these names.
Matrix features_of(const std::vector<std::string>& names, const Edges& edges, Index width) {
    return OperationCase{"edge features",
                         &operations::edge_features,
                         {},
                         {.seed = 3,
                          .names = std::make_shared<const std::vector<std::string>>(names),
                          .edges = std::make_shared<const Edges>(edges)},
                         edges.size(),
                         width}
        .forward();
}

}  // namespace

TEST_CASE("ranking: the highest score has rank 0, and each row is ranked separately") {
    CHECK(is_same(ranked(Matrix{{3, 1, 2}, {-5, 0, 7}}), Matrix{{0, 2, 1}, {2, 1, 0}}));
}

TEST_CASE("ranking: of equal scores the first one ranks higher") {
    CHECK(is_same(ranked(Matrix{{1, 2, 2, 1}}), Matrix{{2, 0, 1, 3}}));
}

TEST_CASE("ranking: −∞ ranks below every number, and NaN last") {
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
    CHECK(is_same(ranked(Matrix{{nan, kMasked, -9, nan, 4}}), Matrix{{3, 2, 1, 4, 0}}));
}

TEST_CASE("edge_features: an edge keeps its features when other edges change") {
    const Matrix before = features_of({"a", "b", "c"}, make_edges(3, {{0, 1}, {1, 0}, {2, 0}}), 4);
    const Matrix after = features_of({"c", "a"}, make_edges(2, {{0, 1}, {1, 1}}), 5);
    CHECK(is_same(after.row(0).head(4), before.row(2)));  // c reads a
    CHECK_FALSE(is_same(before.row(0), before.row(1)));   // the two directions
    CHECK_FALSE(is_same(after.row(1).head(4), before.row(0)));
}

TEST_CASE("edge_pair_scores: NaN stays NaN") {
    Matrix dst = Matrix::Ones(1, 5);
    dst(0, 3) = std::numeric_limits<Scalar>::quiet_NaN();
    const OperationCase use{"NaN",
                            &operations::edge_pair_scores,
                            {dst, Matrix::Ones(1, 5), Matrix::Ones(5, 1)},
                            {.edges = std::make_shared<const Edges>(make_edges(1, {{0, 0}}))}};
    CHECK(std::isnan(use.forward()(0, 0)));
}
