#include "core/operation_cases.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight {
namespace {

std::shared_ptr<const Edges> shared(Edges edges) {
    return std::make_shared<const Edges>(std::move(edges));
}

void add_edge_uses(std::vector<OperationCase>& cases, const std::string& which, Edges list) {
    const auto edges = shared(std::move(list));
    const Index n = edges->n_nodes, n_edges = edges->size();
    cases.push_back({"edge scores, " + which,
                     &operations::edge_scores,
                     {random_matrix(n, 1), random_matrix(n, 1, 2)},
                     {.edges = edges},
                     n_edges,
                     1});
    cases.push_back({"edge softmax, " + which,
                     &operations::edge_softmax,
                     {random_matrix(n_edges, 1)},
                     {.edges = edges},
                     n_edges,
                     1});
    cases.push_back({"edge mix, " + which,
                     &operations::edge_mix,
                     {random_matrix(n_edges, 1), random_matrix(n, 3, 2)},
                     {.edges = edges},
                     n,
                     3});
}

}  // namespace

void add_leaf_cases(std::vector<OperationCase>& cases) {
    const auto names = std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"word:it", "word:was", "word:it"});
    cases.push_back({"named rows", &operations::named_rows, {}, {.seed = 7, .names = names}, 3, 5});
    cases.push_back(
        {"weight", &operations::seeded_weight, {}, {.scale = 0.5, .seed = 7, .key = "W"}, 3, 5});
    cases.push_back({"positions", &operations::sinusoidal_positions, {}, {}, 4, 7});
    cases.push_back({"positions 1 × 1", &operations::sinusoidal_positions, {}, {}, 1, 1});
    cases.push_back(
        {"positions, stacked", &operations::sinusoidal_positions, {}, {.group_rows = 3}, 6, 4});
    cases.push_back({"zeros", &operations::zeros, {}, {}, 3, 2});
    cases.push_back({"first state", &operations::first_state, {}, {}, 1, 2});
    cases.push_back({"ones", &operations::ones, {}, {}, 3, 2});
    cases.push_back({"listed",
                     &operations::listed,
                     {},
                     {.values = std::make_shared<const Matrix>(random_matrix(5, 3))},
                     5,
                     3});
    cases.push_back({"starting values",
                     &operations::starting_values,
                     {},
                     {.values = std::make_shared<const Matrix>(random_matrix(1, 2))},
                     1,
                     2});
    const auto stored = [](const Operation& otherwise, Index rows, Index columns) {
        return std::make_shared<const StoredMatrix>(
            StoredMatrix{std::make_shared<const Matrix>(random_matrix(rows, columns)), &otherwise,
                         "imported from a.npz"});
    };
    const auto places = [](std::vector<Index> list) {
        return std::make_shared<const std::vector<Index>>(std::move(list));
    };
    cases.push_back({"stored",
                     &operations::stored_rows,
                     {},
                     {.stored = stored(operations::zeros, 4, 3)},
                     4,
                     3});
    cases.push_back({"stored rows of words",
                     &operations::stored_rows,
                     {},
                     {.seed = 7,
                      .names = names,
                      .indices = places({1, -1, 1}),
                      .stored = stored(operations::named_rows, 2, 5)},
                     3,
                     5});
    cases.push_back({"stored columns",
                     &operations::stored_columns,
                     {},
                     {.scale = 0.5,
                      .seed = 7,
                      .key = "W_U",
                      .indices = places({2, -1, 0, -1}),
                      .stored = stored(operations::seeded_weight, 5, 3)},
                     5,
                     4});
    const auto elsewhere = std::make_shared<const MatrixSource>(
        MatrixSource{[all = random_matrix(10, 3)](Index matrix, Index first_row, View rows) {
            rows = all.middleRows(5 * matrix + first_row, rows.rows());
        }});
    cases.push_back(
        {"recorded", &operations::recorded, {}, {.begin = 1, .source = elsewhere}, 5, 3});
    cases.push_back(
        {"joined pieces", &operations::joined_pieces, {}, {.begin = 1, .source = elsewhere}, 5, 3});
    cases.push_back({"fetched weight",
                     &operations::fetched_weight,
                     {},
                     {.source = elsewhere, .stored = stored(operations::seeded_weight, 5, 3)},
                     5,
                     3});
}

void add_dense_cases(std::vector<OperationCase>& cases) {
    const Index n = 5;
    cases.push_back({"copy", &operations::copy, {random_matrix(3, n)}, {}, 3, n});
    cases.push_back(
        {"add", &operations::add, {random_matrix(3, n), random_matrix(3, n, 2)}, {}, 3, n});
    cases.push_back({"subtract",
                     &operations::subtract,
                     {random_matrix(3, n), random_matrix(3, n, 2)},
                     {},
                     3,
                     n});
    cases.push_back(
        {"add −∞", &operations::add, {random_matrix(4, n), masked_scores(4, n)}, {}, 4, n});
    cases.push_back({"add bias",
                     &operations::add_bias,
                     {random_matrix(4, n), random_matrix(1, n, 2)},
                     {},
                     4,
                     n});
    cases.push_back(
        {"multiply", &operations::multiply, {random_matrix(3, 4), random_matrix(4, n)}, {}, 3, n});
    cases.push_back(
        {"multiply 1 × 1", &operations::multiply, {random_matrix(1, 1), random_matrix(1, 1)}, {}});
    cases.push_back({"multiply by a slice",
                     &operations::multiply,
                     {random_matrix(3, 2), random_matrix(7, n)},
                     {.begin = 4},
                     3,
                     n});
    cases.push_back({"multiply add",
                     &operations::multiply_add,
                     {random_matrix(3, 4), random_matrix(4, n), random_matrix(1, n, 3)},
                     {},
                     3,
                     n});
    cases.push_back({"multiply add 1 × 1",
                     &operations::multiply_add,
                     {random_matrix(1, 1), random_matrix(1, 1, 2), random_matrix(1, 1, 3)},
                     {}});
    cases.push_back({"multiply transposed",
                     &operations::multiply_transposed,
                     {random_matrix(3, 4), random_matrix(n, 4, 2)},
                     {.scale = 0.5},
                     3,
                     n});
    cases.push_back({"multiply transposed, with a bias",
                     &operations::multiply_transposed_add,
                     {random_matrix(3, 4), random_matrix(n, 4, 2), random_matrix(1, n, 3)},
                     {},
                     3,
                     n});
    cases.push_back({"multiply transposed, with a bias 1 × 1",
                     &operations::multiply_transposed_add,
                     {random_matrix(1, 1), random_matrix(1, 1, 2), random_matrix(1, 1, 3)},
                     {.scale = 0.5}});
    cases.push_back({"multiply transposed, any factor",
                     &operations::multiply_transposed,
                     {random_matrix(2, 3), random_matrix(1, 3, 2)},
                     {.scale = -1.7},
                     2,
                     1});
    cases.push_back({"multiply, two sentences of 3 rows",
                     &operations::multiply,
                     {random_matrix(6, 4), random_matrix(8, n)},
                     {.group_rows = 3},
                     6,
                     n});
    cases.push_back({"multiply transposed, two sentences of 3 rows",
                     &operations::multiply_transposed,
                     {random_matrix(6, 4), random_matrix(10, 4, 2)},
                     {.scale = 0.5, .group_rows = 3},
                     6,
                     n});
    cases.push_back({"concat",
                     &operations::concat_columns,
                     {random_matrix(3, 2), random_matrix(3, 1, 2), random_matrix(3, 4, 3)},
                     {},
                     3,
                     7});
    cases.push_back(
        {"concat of one", &operations::concat_columns, {random_matrix(3, 2)}, {}, 3, 2});
    cases.push_back({"mean",
                     &operations::scaled_sum,
                     {random_matrix(3, n), random_matrix(3, n, 2), random_matrix(3, n, 3)},
                     {.scale = Scalar(1) / 3},
                     3,
                     n});
    cases.push_back({"sum of one", &operations::scaled_sum, {random_matrix(1, n)}, {}, 1, n});
}

void add_activation_cases(std::vector<OperationCase>& cases) {
    const Operation* softmax = &operations::softmax_rows;
    cases.push_back({"softmax rows", softmax, {random_matrix(3, 5)}, {}, 3, 5});
    cases.push_back({"softmax rows 1 × 1", softmax, {random_matrix(1, 1)}, {}});
    cases.push_back({"softmax rows, masked", softmax, {masked_scores(5, 7)}, {}, 5, 7});
    cases.push_back({"softmax rows, large", softmax, {random_matrix(2, 5) * 40}, {}, 2, 5});
    cases.push_back({"ELU", &operations::elu, {random_matrix(3, 5)}, {}, 3, 5});
    cases.push_back(
        {"LeakyReLU", &operations::leaky_relu, {random_matrix(5, 3)}, {.scale = 0.2}, 5, 3});
    cases.push_back(
        {"LeakyReLU without edges", &operations::leaky_relu, {Matrix(0, 1)}, {.scale = 0.2}, 0, 1});
}

void add_edge_cases(std::vector<OperationCase>& cases) {
    add_edge_uses(cases, "with an empty row", small_edges());
    add_edge_uses(cases, "no edge", make_edges(3, {}));
    add_edge_uses(cases, "one node", make_edges(1, {{0, 0}}));
}

}  // namespace headlight
