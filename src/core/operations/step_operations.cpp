// What joins the steps of a recurrence: rows taken and stacked, the read-out, the word written.
#include "core/numeric/short_number.h"
#include "core/operations/recurrent_operations.h"
#include "core/operations/step_cells.h"

namespace headlight::operations {
namespace {

void stack_rows_forward(const Call& call, View Y) {
    const Index n_steps = std::ssize(call.in);
    for (Index i = 0; i < n_steps; ++i) {
        const ConstView& step = call[static_cast<std::size_t>(i)];
        for (Index g = 0; g < step.rows(); ++g) Y.row(g * n_steps + i) = step.row(g);
    }
}

void stack_rows_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    const Index n_steps = std::ssize(call.in);
    for (Index i = 0; i < n_steps; ++i) {
        Matrix& step = into[static_cast<std::size_t>(i)];
        for (Index g = 0; g < step.rows(); ++g) step.row(g) += gradient.row(g * n_steps + i);
    }
}

Explanation stack_rows_explain(const Call& call, ConstView, Index row, Index j) {
    const Index n_steps = std::ssize(call.in), i = row % n_steps;
    Explanation e;
    e.rule = "row of step " + std::to_string(i);
    add_cell(e, cell_ref(call, static_cast<std::size_t>(i), row / n_steps, j));
    return e;
}

bool is_held(const Call& call, Index g) {
    return call[2](step_row(call, g), 0) < Scalar(-0.5);
}

void hold_rows_forward(const Call& call, View Y) {
    for (Index g = 0; g < call.rows; ++g) Y.row(g) = call[is_held(call, g) ? 1 : 0].row(g);
}

void hold_rows_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index g = 0; g < call.rows; ++g) into[is_held(call, g) ? 1 : 0].row(g) += gradient.row(g);
}

Explanation hold_rows_explain(const Call& call, ConstView, Index g, Index j) {
    Explanation e;
    e.rule = is_held(call, g) ? "padding: as before" : "the new row";
    add_cell(e, cell_ref(call, is_held(call, g) ? 1 : 0, g, j));
    return e;
}

void add_row_forward(const Call& call, View C) {
    for (Index g = 0; g < call.rows; ++g)
        C.row(g) = call[0].row(g) + call[1].row(step_row(call, g));
}

void add_row_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    into[0] += gradient;
    for (Index g = 0; g < call.rows; ++g) into[1].row(step_row(call, g)) += gradient.row(g);
}

Explanation add_row_explain(const Call& call, ConstView, Index g, Index j) {
    const Index row = step_row(call, g);
    Explanation e;
    e.rule = "A(j) + B(" + std::to_string(row) + ",j)";
    add_cell(e, cell_ref(call, 0, g, j));
    add_cell(e, cell_ref(call, 1, row, j));
    return e;
}

void sum_of_products_forward(const Call& call, View C) {
    C.noalias() = call[0] * call[1];
    for (std::size_t p = 2; p < call.in.size(); p += 2) C.noalias() += call[p] * call[p + 1];
}

void sum_of_products_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // C = A₀ B₀ + …:  ∂A += ∂C Bᵀ,  ∂B += Aᵀ ∂C
    for (std::size_t p = 0; p < call.in.size(); p += 2) {
        into[p].noalias() += gradient * call[p + 1].transpose();
        into[p + 1].noalias() += call[p].transpose() * gradient;
    }
}

Explanation sum_of_products_explain(const Call& call, ConstView C, Index i, Index j) {
    Explanation e;
    e.rule = "Σ_p Σ_k A_p(i,k) · B_p(k,j)";
    for (std::size_t p = 0; p < call.in.size(); p += 2)
        for (Index k = 0; k < call[p].cols(); ++k)
            add_product(e, {cell_ref(call, p, i, k), cell_ref(call, p + 1, k, j)});
    e.sum = C(i, j);
    return e;
}

/// Where the larger of the pair is, of equals the first.
Index larger_of_pair(const ConstView& X, Index i, Index j) {
    return X(i, 2 * j + 1) > X(i, 2 * j) ? 2 * j + 1 : 2 * j;
}

void maxout_pairs_forward(const Call& call, View Y) {
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j)
            Y(i, j) = call[0](i, larger_of_pair(call[0], i, j));
}

void maxout_pairs_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j)
            into[0](i, larger_of_pair(call[0], i, j)) += gradient(i, j);
}

Explanation maxout_pairs_explain(const Call& call, ConstView Y, Index i, Index j) {
    const Index at = larger_of_pair(call[0], i, j), other = 4 * j + 1 - at;
    Explanation e;
    e.rule = "max(X(i,2j), X(i,2j+1))";
    add_cell(e, cell_ref(call, 0, i, at));
    e.finish = {{"the larger one; column " + std::to_string(other) + " has " +
                     short_number(call[0](i, other)),
                 Y(i, j)}};
    return e;
}

Index column_of_largest(const ConstView& logits, Index g) {
    Index largest = 0;
    for (Index k = 1; k < logits.cols(); ++k)
        if (logits(g, k) > logits(g, largest)) largest = k;
    return largest;
}

void argmax_row_forward(const Call& call, View Y) {
    for (Index g = 0; g < call.rows; ++g)
        Y.row(g) = call[1].row(call.settings.begin + column_of_largest(call[0], g));
}

void argmax_row_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    for (Index g = 0; g < call.rows; ++g)
        into[1].row(call.settings.begin + column_of_largest(call[0], g)) += gradient.row(g);
}

Explanation argmax_row_explain(const Call& call, ConstView Y, Index g, Index j) {
    const Index k = column_of_largest(call[0], g);
    Explanation e;
    e.rule = "E(k,j), k: the largest logit";
    add_cell(e, cell_ref(call, 1, call.settings.begin + k, j));
    e.finish = {{"logit " + std::to_string(k) + " is the largest: " + short_number(call[0](g, k)),
                 Y(g, j)}};
    return e;
}

}  // namespace

const Operation stack_rows{
    "stack rows",    {"All steps", "The rows of all steps, one below the other."},
    kWhole,          stack_rows_forward,
    stack_rows_pull, stack_rows_explain};
const Operation hold_rows{
    "hold rows",    {"Held states", "Where a sentence has ended, the state stays as it was."},
    kWhole,         hold_rows_forward,
    hold_rows_pull, hold_rows_explain};
const Operation add_row{
    "add row",
    {"Masked scores", "Keys that may not be read get −∞, which the softmax turns into 0."},
    kWhole,
    add_row_forward,
    add_row_pull,
    add_row_explain};
const Operation sum_of_products{
    "sum of products",
    {"Before the maxout", "State, previous word and context, each times its weights."},
    kWhole,
    sum_of_products_forward,
    sum_of_products_pull,
    sum_of_products_explain};
const Operation maxout_pairs{"maxout",
                             {"Maxout", "The larger one of each pair of units."},
                             kWhole,
                             maxout_pairs_forward,
                             maxout_pairs_pull,
                             maxout_pairs_explain};
const Operation argmax_row{
    "argmax row",    {"Word written", "The embedding of the word with the largest logit."},
    kWhole,          argmax_row_forward,
    argmax_row_pull, argmax_row_explain};

}  // namespace headlight::operations
