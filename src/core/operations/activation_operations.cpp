// Softmax and the activations that work cell by cell.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/evaluation/overlap.h"
#include "core/numeric/row_functions.h"
#include "core/numeric/softmax.h"
#include "core/operations/gradient_sums.h"
#include "core/operations/operations.h"

namespace headlight::operations {
namespace {

void softmax_rows_forward(const Call& call, View A) {
    headlight::softmax_rows(call[0].data(), A.data(), call.rows, call.columns);
}

void softmax_rows_pull(const Call& call, ConstView A, ConstView gradient, std::span<Matrix> into) {
    // ∂S(i,j) = A(i,j) (∂A(i,j) − Σⱼ' ∂A(i,j') A(i,j'));  0 in a fully masked row, where A is 0
    const auto mean = gradient.cwiseProduct(A).rowwise().sum().eval();
    add_gradient(call, into, 0, A.cwiseProduct(gradient - mean.replicate(1, A.cols())));
}

Explanation softmax_rows_explain(const Call& call, ConstView A, Index i, Index j) {
    std::vector<CellRef> row;
    for (Index k = 0; k < call.columns; ++k) row.push_back({0, i, k, call[0](i, k)});
    return explain_softmax(std::move(row), static_cast<std::size_t>(j), A(i, j));
}

void elu_forward(const Call& call, View y) {
    y = call[0].unaryExpr([](Scalar x) { return x > 0 ? x : std::expm1(x); });
}

void elu_pull(const Call& call, ConstView y, ConstView gradient, std::span<Matrix> into) {
    // y = exp(x) − 1 below 0, so dy/dx = exp(x) = y + 1
    const auto slope = (call[0].array() > 0).select(Scalar(1), y.array() + 1);
    into[0].array() += gradient.array() * slope;
}

Explanation elu_explain(const Call& call, ConstView y, Index i, Index j) {
    const Scalar x = call[0](i, j);
    return {.rule = "ELU(x) = x > 0 ? x : exp(x) − 1",
            .terms = {{{{0, i, j, x}}, x}},
            .sum = x,
            .finish = {{x > 0 ? "positive: as it is" : "exp(x) − 1", y(i, j)}}};
}

void leaky_relu_forward(const Call& call, View y) {
    leaky_relu_row(call[0].data(), y.data(), y.size(), call.settings.scale);
}

void leaky_relu_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    pull_leaky_relu_row(call[0].data(), gradient.data(), into[0].data(), gradient.size(),
                        call.settings.scale);
}

Explanation leaky_relu_explain(const Call& call, ConstView y, Index i, Index j) {
    const Scalar x = call[0](i, j);
    return {.rule = "LeakyReLU(x) = x > 0 ? x : slope · x",
            .terms = {{{{0, i, j, x}}, x}},
            .sum = x,
            .finish = {{x > 0 ? "positive: as it is" : "× slope", y(i, j)}}};
}

}  // namespace

const Operation softmax_rows{.name = "softmax rows",
                             .words = {"Attention pattern",
                                       "Softmax: each row distributes 1 over the keys. Rows are "
                                       "queries, columns are keys."},
                             .by_row = kEveryInput,
                             .forward = softmax_rows_forward,
                             .pull = softmax_rows_pull,
                             .explain = softmax_rows_explain,
                             .sets = kEveryInput,
                             .overlap = overlap_of_softmax};
const Operation elu{
    "ELU",       {"Activation", "Negative numbers are bent towards −1; the others pass."},
    kEveryInput, elu_forward,
    elu_pull,    elu_explain};
const Operation leaky_relu{
    "LeakyReLU",     {"Scores", "LeakyReLU: negative numbers shrink; the others pass."},
    kEveryInput,     leaky_relu_forward,
    leaky_relu_pull, leaky_relu_explain};

std::span<const Operation* const> activation_operations() {
    static const Operation* const table[] = {&softmax_rows, &elu, &leaky_relu};
    return table;
}

}  // namespace headlight::operations
