#include "core/operation_cases.h"
#include "core/operations/recurrent_operations.h"
#include "core/studies.h"

namespace headlight {
namespace {

/// Inputs x, h, W, b of a gate; x has n rows.
std::vector<Matrix> gate_inputs(Index n, Index d, Scalar size = 1) {
    return {random_matrix(n, d) * size, random_matrix(1, d, 2) * size, random_matrix(d, d, 3),
            random_matrix(1, d, 4)};
}

void add_cells(std::vector<OperationCase>& cases) {
    using namespace operations;
    for (const Operation* gate : {&sigmoid_gate, &tanh_gate}) {
        const std::string name = gate->name;
        cases.push_back({name, gate, gate_inputs(4, 5), {.begin = 2}, 1, 5});
        cases.push_back({name + " 1 × 1", gate, gate_inputs(1, 1), {}});
        cases.push_back({name + ", large", gate, gate_inputs(2, 7, 30), {.begin = 1}, 1, 7});
    }
    const auto candidate_inputs = [](Index n, Index d) {
        std::vector<Matrix> inputs = gate_inputs(n, d);
        inputs.insert(inputs.begin() + 1, random_matrix(1, d, 9).cwiseAbs());
        return inputs;
    };
    cases.push_back({"GRU candidate", &gru_candidate, candidate_inputs(3, 5), {.begin = 1}, 1, 5});
    cases.push_back({"GRU candidate 1 × 1", &gru_candidate, candidate_inputs(1, 1), {}});
    for (const Index d : {1, 5}) {
        const std::string size = ", " + std::to_string(d);
        const std::vector<Matrix> rows = {random_matrix(1, d), random_matrix(1, d, 2),
                                          random_matrix(1, d, 3), random_matrix(1, d, 4)};
        cases.push_back({"GRU mix" + size, &gru_mix, {rows[0], rows[1], rows[2]}, {}, 1, d});
        cases.push_back({"LSTM memory" + size, &lstm_memory, rows, {}, 1, d});
        cases.push_back({"LSTM state" + size, &lstm_state, {rows[0], rows[1]}, {}, 1, d});
    }
}

void add_steps(std::vector<OperationCase>& cases) {
    using namespace operations;
    cases.push_back({"stack rows",
                     &stack_rows,
                     {random_matrix(1, 5), random_matrix(1, 5, 2), random_matrix(1, 5, 3)},
                     {},
                     3,
                     5});
    cases.push_back({"stack of one row", &stack_rows, {random_matrix(1, 1)}, {}});
    cases.push_back(
        {"add row", &add_row, {random_matrix(1, 5), random_matrix(3, 5, 2)}, {.begin = 2}, 1, 5});
    cases.push_back(
        {"add row −∞", &add_row, {random_matrix(1, 7), masked_scores(4, 7)}, {.begin = 3}, 1, 7});
    cases.push_back({"sum of one product",
                     &sum_of_products,
                     {random_matrix(3, 4), random_matrix(4, 5, 2)},
                     {},
                     3,
                     5});
    cases.push_back({"sum of three products",
                     &sum_of_products,
                     {random_matrix(1, 4), random_matrix(4, 3, 2), random_matrix(1, 1, 3),
                      random_matrix(1, 3, 4), random_matrix(1, 6, 5), random_matrix(6, 3, 6)},
                     {},
                     1,
                     3});
}

/// The same steps of three sequences, each with four rows of x.
void add_steps_of_several(std::vector<OperationCase>& cases) {
    using namespace operations;
    const OperationSettings second{.begin = 1, .group_rows = 4};
    const Matrix x = random_matrix(12, 5), h = random_matrix(3, 5, 2), W = random_matrix(5, 5, 3),
                 b = random_matrix(1, 5, 4);
    for (const Operation* gate : {&sigmoid_gate, &tanh_gate})
        cases.push_back({std::string(gate->name) + " of three", gate, {x, h, W, b}, second, 3, 5});
    cases.push_back({"GRU candidate of three",
                     &gru_candidate,
                     {x, random_matrix(3, 5, 9).cwiseAbs(), h, W, b},
                     second,
                     3,
                     5});
    cases.push_back({"LSTM state of three", &lstm_state, {h, random_matrix(3, 5, 6)}, {}, 3, 5});
    cases.push_back({"stack rows of three", &stack_rows, {h, random_matrix(3, 5, 7)}, {}, 6, 5});
    cases.push_back({"add row of three", &add_row, {h, x}, second, 3, 5});
    cases.push_back({"argmax row of three",
                     &argmax_row,
                     {random_matrix(3, 4), random_matrix(6, 5, 2)},
                     {.begin = 1},
                     3,
                     5});
    Matrix tokens = Matrix::Constant(12, 1, Scalar(2));
    tokens(5, 0) = Scalar(kNoRow);
    cases.push_back({"hold rows", &hold_rows, {h, random_matrix(3, 5, 8), tokens}, second, 3, 5});
}

void add_choices(std::vector<OperationCase>& cases) {
    using namespace operations;
    cases.push_back({"maxout", &maxout_pairs, {random_matrix(3, 10)}, {}, 3, 5});
    cases.push_back({"maxout 1 × 1", &maxout_pairs, {random_matrix(1, 2)}, {}});
    cases.push_back({"argmax row",
                     &argmax_row,
                     {random_matrix(1, 4), random_matrix(6, 3, 2)},
                     {.begin = 1},
                     1,
                     3});
    cases.push_back(
        {"argmax row 1 × 1", &argmax_row, {random_matrix(1, 1), random_matrix(1, 1)}, {}});
}

}  // namespace

void add_recurrent_cases(std::vector<OperationCase>& cases) {
    add_cells(cases);
    add_steps(cases);
    add_choices(cases);
    add_steps_of_several(cases);
}

}  // namespace headlight
