#include "core/operation_cases.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight {
namespace {

OperationSettings taking(std::vector<Index> rows) {
    return {.indices = std::make_shared<const std::vector<Index>>(std::move(rows))};
}

void add_norms(std::vector<OperationCase>& cases) {
    const auto add = [&](const std::string& name, Matrix X) {
        const Index rows = X.rows(), d = X.cols();
        cases.push_back({"layer norm, " + name,
                         &operations::layer_norm,
                         {std::move(X), random_matrix(1, d, 2), random_matrix(1, d, 3)},
                         {},
                         rows,
                         d});
    };
    const auto add_rms = [&](const std::string& name, Matrix X) {
        const Index rows = X.rows(), d = X.cols();
        cases.push_back({"RMS norm, " + name,
                         &operations::rms_norm,
                         {std::move(X), random_matrix(1, d, 2)},
                         {},
                         rows,
                         d});
    };
    add_rms("3 × 5", random_matrix(3, 5));
    cases.push_back({"RMS norm, a large ε",
                     &operations::rms_norm,
                     {random_matrix(3, 4), random_matrix(1, 4, 2)},
                     {.epsilon = 0.5},
                     3,
                     4});
    cases.push_back({"layer norm, a large ε",
                     &operations::layer_norm,
                     {random_matrix(3, 4), random_matrix(1, 4, 2), random_matrix(1, 4, 3)},
                     {.epsilon = 0.5},
                     3,
                     4});
    add_rms("wide", random_matrix(2, 37));
    add_rms("1 × 1", random_matrix(1, 1));
    add_rms("d = 1", random_matrix(4, 1).array() + 2);  // strongly curved near 0
    add_rms("large", random_matrix(2, 8) * 100);
    add("3 × 5", random_matrix(3, 5));
    add("wide", random_matrix(2, 37));
    add("1 × 1", random_matrix(1, 1));
    add("d = 1", random_matrix(4, 1));
    add("a small variance", random_matrix(2, 3).array() / 4 + 7);
    add("large", random_matrix(2, 8) * 100);
}

void add_activations(std::vector<OperationCase>& cases) {
    using namespace operations;
    for (const Operation* activation :
         {&relu, &gelu, &gelu_tanh, &silu, &sigmoid, &operations::tanh}) {
        const std::string name = activation->name;
        cases.push_back({name, activation, {random_matrix(3, 7)}, {}, 3, 7});
        cases.push_back({name + " 1 × 1", activation, {random_matrix(1, 1)}, {}});
        cases.push_back({name + ", large", activation, {random_matrix(5, 3) * 12}, {}, 5, 3});
        cases.push_back({name + " of nothing", activation, {Matrix(0, 3)}, {}, 0, 3});
    }
}

void add_caps(std::vector<OperationCase>& cases) {
    const Operation* cap = &operations::soft_cap;
    cases.push_back({"soft cap", cap, {random_matrix(3, 7) * 4}, {.scale = 2}, 3, 7});
    cases.push_back({"soft cap 1 × 1", cap, {random_matrix(1, 1)}, {.scale = 30}});
    cases.push_back({"soft cap of nothing", cap, {Matrix(0, 3)}, {.scale = 50}, 0, 3});
}

void add_rows(std::vector<OperationCase>& cases) {
    const Operation* gather = &operations::gather_rows;
    const Operation* append = &operations::append_rows;
    const Operation* slice = &operations::row_slice;
    cases.push_back({"gather rows", gather, {random_matrix(3, 5)}, taking({2, 0, 2, 2}), 4, 5});
    cases.push_back({"gather rows 1 × 1", gather, {random_matrix(1, 1)}, taking({0})});
    cases.push_back({"gather no row", gather, {random_matrix(3, 2)}, taking({}), 0, 2});
    cases.push_back(
        {"append rows", append, {random_matrix(3, 5), random_matrix(2, 5, 2)}, {}, 5, 5});
    cases.push_back({"append three",
                     append,
                     {random_matrix(1, 2), random_matrix(3, 2, 2), random_matrix(2, 2, 3)},
                     {},
                     6,
                     2});
    cases.push_back({"append to nothing", append, {Matrix(0, 3), random_matrix(1, 3)}, {}, 1, 3});
    cases.push_back({"slice of rows", slice, {random_matrix(5, 3)}, {.begin = 2}, 2, 3});
    cases.push_back({"slice, leading columns", slice, {random_matrix(5, 4)}, {.begin = 1}, 3, 2});
    cases.push_back({"slice of all rows", slice, {random_matrix(1, 1)}, {}});
}

Matrix column_of(const std::vector<Scalar>& numbers) {
    return Eigen::Map<const Matrix>(numbers.data(), std::ssize(numbers), 1);
}

void add_tables(std::vector<OperationCase>& cases) {
    const Operation* look_up = &operations::look_up_rows;
    const Operation* pick = &operations::pick_columns;
    cases.push_back(
        {"pick rows", &operations::pick_rows, {column_of({1, -1}), random_matrix(3, 4)}, {}, 2, 4});
    cases.push_back({"pick rows of two sentences",
                     &operations::pick_rows,
                     {column_of({1, 2}), random_matrix(6, 4)},
                     {.group_rows = 3},
                     2,
                     4});
    cases.push_back(
        {"look up", look_up, {column_of({2, 0, 2, -1}), random_matrix(3, 5)}, {}, 4, 5});
    cases.push_back({"look up in one row", look_up, {column_of({0}), random_matrix(1, 1)}, {}});
    cases.push_back({"look up nothing", look_up, {Matrix(0, 1), random_matrix(2, 3)}, {}, 0, 3});
    cases.push_back(
        {"pick columns", pick, {random_matrix(2, 4), column_of({3, 0, 3, 1, -1, 2})}, {}, 2, 3});
    cases.push_back({"pick one column", pick, {random_matrix(1, 1), column_of({0})}, {}});
}

}  // namespace

void add_block_cases(std::vector<OperationCase>& cases) {
    add_norms(cases);
    add_activations(cases);
    add_caps(cases);
    add_rows(cases);
    add_tables(cases);
}

}  // namespace headlight
