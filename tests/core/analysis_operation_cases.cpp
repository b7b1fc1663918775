#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
#include "core/operation_cases.h"
#include "core/operations/analysis_operations.h"
#include "core/studies.h"

namespace headlight {
namespace {

/// A pattern of positive rows that sum to 1, except row 1, which is 0.
Matrix pattern(Index rows, Index columns, std::uint64_t seed) {
    Matrix A = random_matrix(rows, columns, seed).array().exp();
    for (Index i = 0; i < rows; ++i) A.row(i) /= A.row(i).sum();
    if (rows > 2) A.row(1).setZero();
    return A;
}

std::shared_ptr<const std::vector<Index>> words(std::vector<Index> numbers) {
    return std::make_shared<const std::vector<Index>>(std::move(numbers));
}

}  // namespace

void add_analysis_cases(std::vector<OperationCase>& cases) {
    const Matrix probe = pattern(2 * kProbeWords, 2 * kProbeWords, 9);
    cases.push_back({"head metrics",
                     &operations::head_metrics,
                     {pattern(4, 4, 1), pattern(4, 4, 2), probe},
                     {.indices = words({0, 1, 0, 1})},
                     2,
                     10});
    cases.push_back({"head metrics, stacked and padded",
                     &operations::head_metrics,
                     {pattern(6, 3, 1), pattern(6, 3, 2), probe},
                     {.group_rows = 3, .indices = words({0, 1, 0, 2, 1, -1})},
                     2,
                     10});
    cases.push_back({"head metrics of one word",
                     &operations::head_metrics,
                     {pattern(1, 1, 1), pattern(1, 1, 2), probe},
                     {.indices = words({0})},
                     2,
                     10});
    cases.push_back({"overview", &operations::overview, {pattern(7, 5, 1)}, {}, 3, 2});
    cases.push_back({"collect metric",
                     &operations::collect_metric,
                     {random_matrix(2, 10, 1), random_matrix(2, 10, 2)},
                     {.begin = 3},
                     1,
                     2});
    const Operation* mixed = &operations::with_residual;
    cases.push_back({"with residual", mixed, {pattern(4, 4, 3)}, {}, 4, 4});
    cases.push_back({"with residual, stacked", mixed, {pattern(6, 3, 3)}, {.group_rows = 3}, 6, 3});
    const Operation* flow = &operations::attention_flow;
    cases.push_back({"attention flow", flow, {pattern(4, 4, 3), pattern(4, 4, 4)}, {}, 4, 4});
    const auto weights = [](Index columns, std::uint64_t seed) {
        return random_matrix(5, columns, seed);
    };
    // Two layers of one head: W_Q, W_K, W_V, W_O and the gain of each.
    cases.push_back({"composition by queries",
                     &operations::composition,
                     {weights(2, 1), weights(2, 2), weights(3, 3), random_matrix(3, 5, 4),
                      random_matrix(1, 5, 5), weights(2, 6), weights(2, 7), weights(3, 8),
                      random_matrix(3, 5, 9), random_matrix(1, 5, 10)},
                     {.scale = 1, .begin = 0, .count = 1, .indices = words({0, 0})},
                     1,
                     1});
    cases.push_back({"attention flow of one layer, stacked",
                     flow,
                     {pattern(6, 3, 5)},
                     {.group_rows = 3},
                     6,
                     3});
}

}  // namespace headlight
