#include "core/operations/block_operations.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "core/evaluation/overlap.h"
#include "core/numeric/row_functions.h"
#include "core/numeric/short_number.h"
#include "core/operations/gradient_sums.h"

namespace headlight::operations {
namespace {

// ---- activations ----

Explanation of_one_cell(const Call& call, ConstView Y, Index i, Index j, Finish finish) {
    const Scalar x = call[0](i, j);
    Explanation e{
        .rule = finish.what, .terms = {{{{0, i, j, x}}, x}}, .sum = x, .finish = {finish}};
    e.finish.back().value = Y(i, j);
    return e;
}

void relu_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    const Scalar *x = call[0].data(), *dy = gradient.data();
    if (set_or_add(call, 0) == Into::Set)
        pull_relu_row(x, dy, into[0].data(), gradient.size());
    else
        pull_leaky_relu_row(x, dy, into[0].data(), gradient.size(), 0);
}

Explanation relu_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"max(0, x)"});
}

/// A function of every cell, as row_functions.h has them.
using RowFunction = void (*)(const Scalar*, Scalar*, Index);

template <RowFunction function>
void each_cell_forward(const Call& call, View Y) {
    function(call[0].data(), Y.data(), Y.size());
}

template <RowFunction slope>
void each_cell_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    Matrix slopes(call.rows, call.columns);
    slope(call[0].data(), slopes.data(), slopes.size());
    add_gradient(call, into, 0, gradient.cwiseProduct(slopes));
}

Explanation gelu_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"x/2 · (1 + erf(x / √2))"});
}

Explanation gelu_tanh_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"x/2 · (1 + tanh(√(2/π) (x + 0.044715 x^3)))"});
}

Explanation silu_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"x / (1 + exp(−x))"});
}

void sigmoid_pull(const Call&, ConstView Y, ConstView gradient, std::span<Matrix> into) {
    // y = σ(x), dy/dx = y (1 − y)
    into[0].array() += gradient.array() * Y.array() * (1 - Y.array());
}

Explanation sigmoid_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"1 / (1 + exp(−x))"});
}

void tanh_pull(const Call&, ConstView Y, ConstView gradient, std::span<Matrix> into) {
    // y = tanh(x), dy/dx = 1 − y²
    into[0].array() += gradient.array() * (1 - Y.array().square());
}

Explanation tanh_explain(const Call& call, ConstView Y, Index i, Index j) {
    return of_one_cell(call, Y, i, j, {"tanh(x)"});
}

// ---- rows ----

Explanation of_row(std::string rule, CellRef cell) {
    return {
        .rule = std::move(rule), .terms = {{{cell}, cell.value}}, .sum = cell.value, .finish = {}};
}

Index gathered(const Call& call, Index row) {
    return (*call.settings.indices)[static_cast<std::size_t>(row)];
}

void gather_rows_forward(const Call& call, View Y) {
    for (Index i = 0; i < call.rows; ++i) Y.row(i) = call[0].row(gathered(call, i));
}

void gather_rows_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index i = 0; i < call.rows; ++i) into[0].row(gathered(call, i)) += gradient.row(i);
}

Explanation gather_rows_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Index from = gathered(call, i);
    return of_row(fmt::format("row {} of X", from), {0, from, d, Y(i, d)});
}

void append_rows_forward(const Call& call, View Y) {
    Index at = 0;
    for (const ConstView& part : call.in) {
        Y.middleRows(at, part.rows()) = part;
        at += part.rows();
    }
}

void append_rows_pull(const Call&, ConstView, ConstView gradient, std::span<Matrix> into) {
    Index at = 0;
    for (Matrix& part : into) {
        part += gradient.middleRows(at, part.rows());
        at += part.rows();
    }
}

Explanation append_rows_explain(const Call& call, ConstView Y, Index i, Index d) {
    std::size_t part = 0;
    Index row = i;
    while (row >= call[part].rows()) row -= call[part++].rows();
    return of_row(fmt::format("row {} of part {}", row, part), {part, row, d, Y(i, d)});
}

void row_slice_forward(const Call& call, View Y) {
    Y = call[0].block(call.settings.begin, 0, call.rows, call.columns);
}

void row_slice_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    into[0].block(call.settings.begin, 0, call.rows, call.columns) += gradient;
}

Explanation row_slice_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Index from = call.settings.begin + i;
    return of_row(fmt::format("row {} of X", from), {0, from, d, Y(i, d)});
}

}  // namespace

const Operation relu{.name = "ReLU",
                     .words = {"Activation", "Negative numbers become 0."},
                     .by_row = row_inputs(0),
                     .forward = each_cell_forward<relu_row>,
                     .pull = relu_pull,
                     .explain = relu_explain,
                     .sets = kEveryInput};
const Operation gelu{
    .name = "GELU",
    .words = {"Activation", "Negative numbers are pressed towards 0; large ones pass."},
    .by_row = row_inputs(0),
    .forward = each_cell_forward<gelu_row>,
    .pull = each_cell_pull<gelu_slope_row>,
    .explain = gelu_explain,
    .sets = kEveryInput};
const Operation gelu_tanh{
    .name = "GELU (tanh)",
    .words = {"Activation", "Negative numbers are pressed towards 0; large ones pass."},
    .by_row = row_inputs(0),
    .forward = each_cell_forward<gelu_tanh_row>,
    .pull = each_cell_pull<gelu_tanh_slope_row>,
    .explain = gelu_tanh_explain,
    .sets = kEveryInput};
const Operation silu{
    .name = "SiLU",
    .words = {"Activation", "Negative numbers are pressed towards 0; large ones pass."},
    .by_row = row_inputs(0),
    .forward = each_cell_forward<silu_row>,
    .pull = each_cell_pull<silu_slope_row>,
    .explain = silu_explain,
    .sets = kEveryInput};
const Operation sigmoid{"sigmoid",     {"Sigmoid", "Every number is mapped to between 0 and 1."},
                        row_inputs(0), each_cell_forward<sigmoid_row>,
                        sigmoid_pull,  sigmoid_explain};
const Operation tanh{"tanh",        {"Tanh", "Every number is mapped to between −1 and 1."},
                     row_inputs(0), each_cell_forward<tanh_row>,
                     tanh_pull,     tanh_explain};
const Operation gather_rows{.name = "gather rows",
                            .words = {"Chosen rows", "Some rows, in another order."},
                            .by_row = kWhole,
                            .forward = gather_rows_forward,
                            .pull = gather_rows_pull,
                            .explain = gather_rows_explain,
                            .overlap = overlap_of_gathered};
const Operation append_rows{
    "append rows",    {"Rows so far", "The cached rows, and the new one below them."},
    kWhole,           append_rows_forward,
    append_rows_pull, append_rows_explain};
const Operation row_slice{"slice of rows", {"Slice", "Some rows of a larger matrix."},
                          kWhole,          row_slice_forward,
                          row_slice_pull,  row_slice_explain};

std::span<const Operation* const> block_operations() {
    static const Operation* const table[] = {&layer_norm,  &rms_norm,    &relu,     &gelu,
                                             &gelu_tanh,   &silu,        &sigmoid,  &tanh,
                                             &gather_rows, &append_rows, &row_slice};
    return table;
}

}  // namespace headlight::operations
