// Products, sums and concatenation of matrices.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/evaluation/overlap.h"
#include "core/numeric/product.h"
#include "core/numeric/row_functions.h"
#include "core/numeric/softmax.h"
#include "core/operations/call_parts.h"
#include "core/operations/operations.h"

namespace headlight::operations {
namespace {

void copy_forward(const Call& call, View A) {
    A = call[0];
}

void copy_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    add_gradient(call, into, 0, gradient);
}

Explanation copy_explain(const Call& call, ConstView, Index i, Index j) {
    const Scalar a = call[0](i, j);
    return {.rule = "A(i,j)", .terms = {{{{0, i, j, a}}, a}}, .sum = a, .finish = {}};
}

void add_forward(const Call& call, View C) {
    C = call[0] + call[1];
}

void add_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    add_gradient(call, into, 0, gradient);
    add_gradient(call, into, 1, gradient);
}

Explanation add_explain(const Call& call, ConstView C, Index i, Index j) {
    const Scalar a = call[0](i, j), b = call[1](i, j);
    return {.rule = "A(i,j) + B(i,j)",
            .terms = {{{{0, i, j, a}}, a}, {{{1, i, j, b}}, b}},
            .sum = C(i, j),
            .finish = {}};
}

void add_bias_forward(const Call& call, View C) {
    C = call[0].rowwise() + call[1].row(0);
}

void add_bias_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // C(i) = A(i) + b:  ∂A += ∂C,  ∂b += Σ_i ∂C(i)
    add_gradient(call, into, 0, gradient);
    add_gradient(call, into, 1, gradient.colwise().sum());
}

Explanation add_bias_explain(const Call& call, ConstView C, Index i, Index j) {
    const Scalar a = call[0](i, j), b = call[1](0, j);
    return {.rule = "A(i,j) + b(j)",
            .terms = {{{{0, i, j, a}}, a}, {{{1, 0, j, b}}, b}},
            .sum = C(i, j),
            .finish = {}};
}

/// Returns the rows of B that the rows of sentence `group` of A meet.
auto slice(const Call& call, auto& B, Index group) {
    const Index k = call[0].cols();
    return B.middleRows(call.settings.begin + group * k, k);
}

/// Prepares the gradient of B, of which each sentence meets k rows: it is set to zeros first if
/// these are not all of its rows.
Into set_or_add_slices(const Call& call, std::span<Matrix> into, Index k) {
    const Index group_rows = call.settings.group_rows;
    const Index n_groups = group_rows == 0 ? 1 : call.rows / group_rows;
    const Into mode = set_or_add(call, 1);
    if (call.settings.begin == 0 && n_groups * k == into[1].rows()) return mode;
    if (mode == Into::Set) into[1].setZero();
    return Into::Add;
}

void subtract_forward(const Call& call, View C) {
    C = call[0] - call[1];
}

void subtract_pull(const Call&, ConstView, ConstView gradient, std::span<Matrix> into) {
    into[0] += gradient;
    into[1] -= gradient;
}

Explanation subtract_explain(const Call& call, ConstView C, Index i, Index j) {
    const Scalar a = call[0](i, j), b = call[1](i, j);
    return {.rule = "A(i,j) − B(i,j)",
            .terms = {{{{0, i, j, a}}, a}, {{{1, i, j, b}}, -b}},
            .sum = C(i, j),
            .finish = {}};
}

/// Completes the product with everything that C = A B [+ b] has beside its shapes.
Product completed(Product p, const Call& call) {
    p.panels = call.prepared ? call.prepared->data() : nullptr;
    p.bias = call.in.size() > 2 ? call[2].data() : nullptr;
    return p;
}

void multiply_forward(const Call& call, View C) {
    for_each_group(call, [&](const RowGroup& rows) {
        compute_product(completed(
            product(call[0].middleRows(rows.begin, rows.count), slice(call, call[1], rows.group),
                    C.middleRows(rows.begin, rows.count)),
            call));
    });
}

void multiply_together(std::span<const Call> calls, std::span<const View> results) {
    std::vector<Product> products;
    products.reserve(calls.size());
    for (std::size_t k = 0; k < calls.size(); ++k) {
        View C = results[k];
        products.push_back(
            completed(product(calls[k][0], slice(calls[k], calls[k][1], 0), C), calls[k]));
    }
    compute_products(products.data(), std::ssize(products));
}

/// Packs B as products read it; sentences have a B each, which they read for themselves.
Matrix multiply_prepare(const Call& call) {
    if (call.settings.group_rows > 0) return {};
    return packed<Matrix>(slice(call, call[1], 0));
}

void multiply_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // C = A B[begin …]:  ∂A += ∂C Bᵀ,  ∂B[begin …] += Aᵀ ∂C
    const Into to_A = set_or_add(call, 0), to_B = set_or_add_slices(call, into, call[0].cols());
    for_each_group(call, [&](const RowGroup& rows) {
        const auto dC = gradient.middleRows(rows.begin, rows.count);
        compute_product(product(dC, slice(call, call[1], rows.group).transpose(),
                                into[0].middleRows(rows.begin, rows.count), 1, to_A));
        compute_product(product(call[0].middleRows(rows.begin, rows.count).transpose(), dC,
                                slice(call, into[1], rows.group), 1, to_B));
    });
}

Explanation multiply_explain(const Call& call, ConstView C, Index i, Index j) {
    Explanation e{.rule = "Σ_k A(i,k) · B(k,j)", .terms = {}, .sum = C(i, j), .finish = {}};
    const Index begin = call.settings.begin + row_group(call, i) * call[0].cols();
    for (Index k = 0; k < call[0].cols(); ++k) {
        const Scalar a = call[0](i, k), b = call[1](begin + k, j);
        e.terms.push_back({{{0, i, k, a}, {1, begin + k, j, b}}, a * b});
    }
    return e;
}

void multiply_add_pull(const Call& call, ConstView C, ConstView gradient, std::span<Matrix> into) {
    // C = A B + b:  ∂b += Σ_i ∂C(i)
    multiply_pull(call, C, gradient, into);
    add_gradient(call, into, 2, gradient.colwise().sum());
}

Explanation multiply_add_explain(const Call& call, ConstView C, Index i, Index j) {
    Explanation e = multiply_explain(call, C, i, j);
    e.rule += " + b(j)";
    e.terms.push_back({{{2, 0, j, call[2](0, j)}}, call[2](0, j)});
    return e;
}

void multiply_transposed_forward(const Call& call, View S) {
    for_each_group(call, [&](const RowGroup& rows) {
        const auto keys = call[1].middleRows(rows.group * call.columns, call.columns);
        compute_product(
            completed(product(call[0].middleRows(rows.begin, rows.count), keys.transpose(),
                              S.middleRows(rows.begin, rows.count), call.settings.scale),
                      call));
    });
}

Matrix multiply_transposed_prepare(const Call& call) {
    if (call.settings.group_rows > 0) return {};
    return packed<Matrix>(call[1].transpose());
}

void multiply_transposed_pull(const Call& call, ConstView, ConstView gradient,
                              std::span<Matrix> into) {
    // S = c A Bᵀ:  ∂A += c ∂S B,  ∂B += c ∂Sᵀ A
    const Scalar scale = call.settings.scale;
    const Into to_A = set_or_add(call, 0), to_B = set_or_add_slices(call, into, call.columns);
    for_each_group(call, [&](const RowGroup& rows) {
        const Index key = rows.group * call.columns;
        const auto dS = gradient.middleRows(rows.begin, rows.count);
        compute_product(product(dS, call[1].middleRows(key, call.columns),
                                into[0].middleRows(rows.begin, rows.count), scale, to_A));
        compute_product(product(dS.transpose(), call[0].middleRows(rows.begin, rows.count),
                                into[1].middleRows(key, call.columns), scale, to_B));
    });
}

Explanation multiply_transposed_explain(const Call& call, ConstView S, Index i, Index j) {
    Explanation e{.rule = "Σ_d A(i,d) · B(j,d)", .terms = {}, .sum = 0, .finish = {}};
    const Index key = row_group(call, i) * call.columns + j;
    for (Index d = 0; d < call[0].cols(); ++d) {
        const Scalar a = call[0](i, d), b = call[1](key, d);
        e.terms.push_back({{{0, i, d, a}, {1, key, d, b}}, a * b});
        e.sum += a * b;
    }
    finish_scaled(e, call.settings.scale, call[0].cols(), S(i, j));
    return e;
}

void multiply_transposed_add_pull(const Call& call, ConstView S, ConstView gradient,
                                  std::span<Matrix> into) {
    // S = c A Bᵀ + b:  ∂b += Σ_i ∂S(i)
    multiply_transposed_pull(call, S, gradient, into);
    add_gradient(call, into, 2, gradient.colwise().sum());
}

Explanation multiply_transposed_add_explain(const Call& call, ConstView S, Index i, Index j) {
    Explanation e = multiply_transposed_explain(call, S, i, j);
    const Scalar b = call[2](0, j);
    e.rule += " + b(j)";
    e.terms.push_back({{{2, 0, j, b}}, b});
    e.sum += b;
    if (!e.finish.empty()) e.finish.back().value = S(i, j);
    return e;
}

void concat_columns_forward(const Call& call, View C) {
    constexpr Index kRows = 64;  // so many rows of the result stay in the nearest cache
    for (Index begin = 0; begin < call.rows; begin += kRows) {
        Scalar* to = C.data() + begin * C.cols();
        for (const ConstView& part : call.in) {
            copy_rows({part.data() + begin * part.cols(), part.cols(), to, C.cols()},
                      std::min(kRows, call.rows - begin), part.cols());
            to += part.cols();
        }
    }
}

void concat_columns_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    Index at = 0;
    for (std::size_t h = 0; h < into.size(); ++h) {
        const Index width = into[h].cols();
        add_gradient(call, into, h, gradient.middleCols(at, width));
        at += width;
    }
}

Explanation concat_columns_explain(const Call& call, ConstView C, Index i, Index j) {
    std::size_t part = 0;
    Index column = j;
    while (column >= call[part].cols()) column -= call[part++].cols();
    return {.rule = fmt::format("column {} of head {}", column, part),
            .terms = {{{{part, i, column, C(i, j)}}, C(i, j)}},
            .sum = C(i, j),
            .finish = {}};
}

void scaled_sum_forward(const Call& call, View C) {
    C = call[0];
    for (std::size_t h = 1; h < call.in.size(); ++h) C += call[h];
    C *= call.settings.scale;
}

void scaled_sum_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Matrix& part : into) part += call.settings.scale * gradient;
}

Explanation scaled_sum_explain(const Call& call, ConstView C, Index i, Index j) {
    Explanation e{.rule = "Σ_h A_h(i,j)", .terms = {}, .sum = 0, .finish = {}};
    for (std::size_t h = 0; h < call.in.size(); ++h) {
        const Scalar a = call[h](i, j);
        e.terms.push_back({{{h, i, j, a}}, a});
        e.sum += a;
    }
    if (call.settings.scale != 1) {
        e.rule += " / heads";
        e.finish.push_back({fmt::format("÷ {}", call.in.size()), C(i, j)});
    }
    return e;
}

}  // namespace

const Operation copy{.name = "copy",
                     .words = {"Copy", "The same numbers under a new name."},
                     .by_row = kEveryInput,
                     .forward = copy_forward,
                     .pull = copy_pull,
                     .explain = copy_explain,
                     .sets = kEveryInput,
                     .is_copy = true};
const Operation add{.name = "add",
                    .words = {"Sum", "The two matrices are added cell by cell."},
                    .by_row = kEveryInput,
                    .forward = add_forward,
                    .pull = add_pull,
                    .explain = add_explain,
                    .sets = kEveryInput,
                    .is_copy_beside_zeros = true,
                    .overlap = overlap_of_sum};
const Operation add_bias{.name = "add bias",
                         .words = {"Bias", "A bias is added to each row."},
                         .by_row = row_inputs(0),
                         .forward = add_bias_forward,
                         .pull = add_bias_pull,
                         .explain = add_bias_explain,
                         .sets = kEveryInput};
const Operation subtract{
    "subtract",    {"Difference", "The second matrix is subtracted from the first, cell by cell."},
    kEveryInput,   subtract_forward,
    subtract_pull, subtract_explain};
const Operation multiply{.name = "multiply",
                         .words = {"Product", "Each row times a matrix."},
                         .by_row = row_inputs(0),
                         .forward = multiply_forward,
                         .pull = multiply_pull,
                         .explain = multiply_explain,
                         .prepare = multiply_prepare,
                         .forward_together = multiply_together,
                         .sets = kEveryInput,
                         .overlap = overlap_of_mix};
const Operation multiply_add{.name = "multiply add",
                             .words = {"Product", "Each row times a matrix, plus a bias."},
                             .by_row = row_inputs(0),
                             .forward = multiply_forward,
                             .pull = multiply_add_pull,
                             .explain = multiply_add_explain,
                             .prepare = multiply_prepare,
                             .forward_together = multiply_together,
                             .sets = kEveryInput};
const Operation multiply_transposed{
    .name = "multiply transposed",
    .words = {"Scores", "How well each query matches each key: a dot product."},
    .by_row = row_inputs(0),
    .forward = multiply_transposed_forward,
    .pull = multiply_transposed_pull,
    .explain = multiply_transposed_explain,
    .prepare = multiply_transposed_prepare,
    .sets = kEveryInput,
    .overlap = overlap_of_pairs};
const Operation multiply_transposed_add{
    .name = "multiply transposed add",
    .words = {"Product", "Each row times a matrix, plus a bias."},
    .by_row = row_inputs(0),
    .forward = multiply_transposed_forward,
    .pull = multiply_transposed_add_pull,
    .explain = multiply_transposed_add_explain,
    .prepare = multiply_transposed_prepare,
    .sets = kEveryInput,
    .overlap = overlap_of_pairs};
const Operation concat_columns{.name = "concat columns",
                               .words = {"Side by side", "The columns of all parts, side by side."},
                               .by_row = kEveryInput,
                               .forward = concat_columns_forward,
                               .pull = concat_columns_pull,
                               .explain = concat_columns_explain,
                               .sets = kEveryInput};
const Operation scaled_sum{"scaled sum",    {"Mean", "The inputs are added, and scaled."},
                           kEveryInput,     scaled_sum_forward,
                           scaled_sum_pull, scaled_sum_explain};

std::span<const Operation* const> dense_operations() {
    static const Operation* const table[] = {&copy,
                                             &add,
                                             &add_bias,
                                             &subtract,
                                             &multiply,
                                             &multiply_add,
                                             &multiply_transposed,
                                             &multiply_transposed_add,
                                             &concat_columns,
                                             &scaled_sum};
    return table;
}

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
