#include "core/operations/recurrent_operations.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/numeric/row_functions.h"
#include "core/numeric/short_number.h"
#include "core/operation.h"

namespace headlight::operations {
namespace {

/// Returns the row of a stack that row g of a step reads.
Index step_row(const Call& call, Index g) {
    return call.settings.begin + g * call.settings.group_rows;
}

void add_cell(Explanation& e, const CellRef& cell) {
    e.terms.push_back({{cell}, cell.value});
    e.sum += cell.value;
}

void add_product(Explanation& e, std::vector<CellRef> cells) {
    Scalar product = 1;
    for (const CellRef& cell : cells) product *= cell.value;
    e.terms.push_back({std::move(cells), product});
    e.sum += product;
}

CellRef cell_ref(const Call& call, std::size_t input, Index row, Index column) {
    return {input, row, column, call[input](row, column)};
}

// ---- gates: x(begin) + h W + b ----

void sum_gate(const Call& call, View y) {
    y.noalias() = call[1] * call[2];
    for (Index g = 0; g < call.rows; ++g) y.row(g) += call[0].row(step_row(call, g)) + call[3];
}

/// Computes the gradients of a gate; da is the gradient of the sum.
void pull_gate(const Call& call, const Matrix& da, std::span<Matrix> into) {
    // a = x(begin) + h W + b
    for (Index g = 0; g < call.rows; ++g) into[0].row(step_row(call, g)) += da.row(g);
    into[1].noalias() += da * call[2].transpose();
    into[2].noalias() += call[1].transpose() * da;
    into[3] += da.colwise().sum();
}

Explanation explain_gate(const Call& call, Index g, Index j) {
    Explanation e;
    add_cell(e, cell_ref(call, 0, step_row(call, g), j));
    for (Index k = 0; k < call[1].cols(); ++k)
        add_product(e, {cell_ref(call, 1, g, k), cell_ref(call, 2, k, j)});
    add_cell(e, cell_ref(call, 3, 0, j));
    return e;
}

void sigmoid_gate_forward(const Call& call, View y) {
    sum_gate(call, y);
    sigmoid_row(y.data(), y.data(), y.size());
}

void sigmoid_gate_pull(const Call& call, ConstView y, ConstView gradient, std::span<Matrix> into) {
    // y = σ(a):  ∂a = ∂y y (1 − y)
    pull_gate(call, gradient.array() * y.array() * (1 - y.array()), into);
}

Explanation sigmoid_gate_explain(const Call& call, ConstView y, Index g, Index j) {
    Explanation e = explain_gate(call, g, j);
    e.rule = "σ(x(j) + Σ_k h(k) · W(k,j) + b(j))";
    e.finish = {{"σ", y(g, j)}};
    return e;
}

void tanh_gate_forward(const Call& call, View y) {
    sum_gate(call, y);
    tanh_row(y.data(), y.data(), y.size());
}

void tanh_gate_pull(const Call& call, ConstView y, ConstView gradient, std::span<Matrix> into) {
    // y = tanh(a):  ∂a = ∂y (1 − y²)
    pull_gate(call, gradient.array() * (1 - y.array().square()), into);
}

Explanation tanh_gate_explain(const Call& call, ConstView y, Index g, Index j) {
    Explanation e = explain_gate(call, g, j);
    e.rule = "tanh(x(j) + Σ_k h(k) · W(k,j) + b(j))";
    e.finish = {{"tanh", y(g, j)}};
    return e;
}

// ---- GRU ----

void gru_candidate_forward(const Call& call, View n) {
    n.noalias() = call[2] * call[3];
    for (Index g = 0; g < call.rows; ++g)
        n.row(g) =
            call[0].row(step_row(call, g)) + (n.row(g) + call[4]).cwiseProduct(call[1].row(g));
    tanh_row(n.data(), n.data(), n.size());
}

void gru_candidate_pull(const Call& call, ConstView n, ConstView gradient, std::span<Matrix> into) {
    // n = tanh(x(begin) + r ⊙ u), u = h W + b
    Matrix u = call[2] * call[3];
    u.rowwise() += call[4].row(0);
    const Matrix da = gradient.array() * (1 - n.array().square());
    const Matrix du = da.cwiseProduct(call[1]);
    for (Index g = 0; g < call.rows; ++g) into[0].row(step_row(call, g)) += da.row(g);
    into[1] += da.cwiseProduct(u);
    into[2].noalias() += du * call[3].transpose();
    into[3].noalias() += call[2].transpose() * du;
    into[4] += du.colwise().sum();
}

Explanation gru_candidate_explain(const Call& call, ConstView n, Index g, Index j) {
    Explanation e;
    e.rule = "tanh(x(j) + r(j) · (Σ_k h(k) · W(k,j) + b(j)))";
    const CellRef r = cell_ref(call, 1, g, j);
    add_cell(e, cell_ref(call, 0, step_row(call, g), j));
    for (Index k = 0; k < call[2].cols(); ++k)
        add_product(e, {r, cell_ref(call, 2, g, k), cell_ref(call, 3, k, j)});
    add_product(e, {r, cell_ref(call, 4, 0, j)});
    e.finish = {{"tanh", n(g, j)}};
    return e;
}

void gru_mix_forward(const Call& call, View y) {
    const auto z = call[0].array(), n = call[1].array(), h = call[2].array();
    y = (1 - z) * n + z * h;
}

void gru_mix_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // h' = (1 − z) ⊙ n + z ⊙ h
    const auto z = call[0].array(), n = call[1].array(), h = call[2].array();
    into[0].array() += gradient.array() * (h - n);
    into[1].array() += gradient.array() * (1 - z);
    into[2].array() += gradient.array() * z;
}

Explanation gru_mix_explain(const Call& call, ConstView y, Index g, Index j) {
    const CellRef z = cell_ref(call, 0, g, j), n = cell_ref(call, 1, g, j);
    Explanation e;
    e.rule = "(1 − z) · n + z · h";
    e.terms = {{{n, z}, (1 - z.value) * n.value, kComplement}};
    add_product(e, {z, cell_ref(call, 2, g, j)});
    e.sum = y(g, j);
    return e;
}

// ---- LSTM ----

void lstm_memory_forward(const Call& call, View y) {
    y = call[0].cwiseProduct(call[1]) + call[2].cwiseProduct(call[3]);
}

void lstm_memory_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // c' = f ⊙ c + i ⊙ g
    into[0] += gradient.cwiseProduct(call[1]);
    into[1] += gradient.cwiseProduct(call[0]);
    into[2] += gradient.cwiseProduct(call[3]);
    into[3] += gradient.cwiseProduct(call[2]);
}

Explanation lstm_memory_explain(const Call& call, ConstView, Index g, Index j) {
    Explanation e;
    e.rule = "f · c + i · g";
    add_product(e, {cell_ref(call, 0, g, j), cell_ref(call, 1, g, j)});
    add_product(e, {cell_ref(call, 2, g, j), cell_ref(call, 3, g, j)});
    return e;
}

void lstm_state_forward(const Call& call, View h) {
    tanh_row(call[1].data(), h.data(), h.size());
    h.array() *= call[0].array();
}

void lstm_state_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // h = o ⊙ tanh(c):  ∂c += ∂h o (1 − tanh²(c))
    Matrix t(call.rows, call.columns);
    tanh_row(call[1].data(), t.data(), t.size());
    into[0] += gradient.cwiseProduct(t);
    into[1].array() += gradient.array() * call[0].array() * (1 - t.array().square());
}

Explanation lstm_state_explain(const Call& call, ConstView h, Index g, Index j) {
    Explanation e;
    e.rule = "o · tanh(c)";
    add_cell(e, cell_ref(call, 1, g, j));
    Scalar t = 0;
    tanh_row(&e.sum, &t, 1);
    e.finish = {{"tanh", t}, {"× o = " + short_number(call[0](g, j)), h(g, j)}};
    return e;
}

}  // namespace

const Operation sigmoid_gate{"sigmoid gate",
                             {"Gate", "Between 0 and 1 for each unit: how much passes."},
                             kWhole,
                             sigmoid_gate_forward,
                             sigmoid_gate_pull,
                             sigmoid_gate_explain};
const Operation tanh_gate{
    "tanh gate",    {"Candidate", "What the state may take up, from the input and the old state."},
    kWhole,         tanh_gate_forward,
    tanh_gate_pull, tanh_gate_explain};
const Operation gru_candidate{"GRU candidate",
                              {"Candidate", "A new state; the reset gate says what it remembers."},
                              kWhole,
                              gru_candidate_forward,
                              gru_candidate_pull,
                              gru_candidate_explain};
const Operation gru_mix{
    "GRU mix",    {"New state", "The update gate mixes the old state and the candidate."},
    kWhole,       gru_mix_forward,
    gru_mix_pull, gru_mix_explain};
const Operation lstm_memory{
    "LSTM memory",    {"Memory cell", "The forget gate keeps, the input gate lets in."},
    kWhole,           lstm_memory_forward,
    lstm_memory_pull, lstm_memory_explain};
const Operation lstm_state{
    "LSTM state",    {"New state", "What the output gate lets out of the memory cell."},
    kWhole,          lstm_state_forward,
    lstm_state_pull, lstm_state_explain};
std::span<const Operation* const> recurrent_operations() {
    static const Operation* const table[] = {
        &sigmoid_gate, &tanh_gate,       &gru_candidate, &gru_mix, &lstm_memory, &lstm_state,
        &stack_rows,   &sum_of_products, &maxout_pairs,  &add_row, &argmax_row,  &hold_rows};
    return table;
}

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
    e.rule = fmt::format("row of step {}", i);
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
    e.rule = fmt::format("A(j) + B({},j)", row);
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

/// Returns the column of the larger number of the pair, of equals the first.
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
    e.finish = {
        {fmt::format("the larger one; column {} has {}", other, short_number(call[0](i, other))),
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
    e.finish = {
        {fmt::format("logit {} is the largest: {}", k, short_number(call[0](g, k))), Y(g, j)}};
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
