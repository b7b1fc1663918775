#include "core/operation_cases.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight {

/// Row 0 is free, row 1 fully masked; in the others the first cells are masked.
Matrix masked_scores(Index rows, Index columns) {
    Matrix scores = random_matrix(rows, columns, 1);
    scores.row(1).setConstant(kMasked);
    for (Index i = 2; i < rows; ++i) scores.row(i).head(i % columns).setConstant(kMasked);
    return scores;
}

Call OperationCase::call(std::vector<ConstView>& in) const {
    in.clear();
    for (const Matrix& input : inputs) in.emplace_back(input.data(), input.rows(), input.cols());
    return {in, settings, rows, columns};
}

Matrix OperationCase::forward() const {
    std::vector<ConstView> in;
    Matrix result(rows, columns);
    operation->forward(call(in), View(result.data(), rows, columns));
    return result;
}

Matrix OperationCase::forward_by_blocks(Index block_rows) const {
    Matrix result(rows, columns);
    for (Index first = 0; first < rows; first += block_rows) {
        const Index count = std::min(block_rows, rows - first);
        std::vector<ConstView> in;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool is_by_row = operation->by_row >> i & 1;
            const Matrix& input = inputs[i];
            if (is_by_row)
                in.emplace_back(input.data() + first * input.cols(), count, input.cols());
            else
                in.emplace_back(input.data(), input.rows(), input.cols());
        }
        operation->forward({in, settings, count, columns, first},
                           View(result.data() + first * columns, count, columns));
    }
    return result;
}

std::vector<OperationCase> operation_cases() {
    std::vector<OperationCase> cases;
    add_leaf_cases(cases);
    add_dense_cases(cases);
    add_activation_cases(cases);
    add_edge_cases(cases);
    add_graph_cases(cases);
    add_mask_cases(cases);
    add_position_cases(cases);
    add_block_cases(cases);
    add_score_cases(cases);
    add_normalizer_cases(cases);
    add_recurrent_cases(cases);
    add_image_cases(cases);
    add_analysis_cases(cases);
    return cases;
}

}  // namespace headlight

using namespace headlight;

TEST_CASE("operations: the table of tests has every operation") {
    std::set<const Operation*> tested;
    for (const OperationCase& use : operation_cases()) tested.insert(use.operation);
    for (const Operation* operation : operations::all())
        CHECK_MESSAGE(tested.contains(operation), std::string(operation->name));
    CHECK(tested.size() == operations::all().size());
}

TEST_CASE("operations: names are unique, and leaves have no gradient") {
    std::set<std::string> names;
    for (const Operation* operation : operations::all()) names.insert(operation->name);
    CHECK(names.size() == operations::all().size());
    for (const OperationCase& use : operation_cases()) {
        const bool has_pull = use.operation->pull != nullptr;
        if (use.inputs.empty()) CHECK_MESSAGE(!has_pull, use.name);
    }
}

TEST_CASE("operations: computing in blocks of rows gives the same bits") {
    for (const OperationCase& use : operation_cases()) {
        if (use.operation->by_row == kWhole) continue;
        for (const Index block_rows : {1, 2, 3})
            CHECK_MESSAGE(is_same(use.forward_by_blocks(block_rows), use.forward()),
                          use.name << ", blocks of " << block_rows);
    }
}
