// Additive scores, and their hidden layer as a matrix.
#include "core/numeric/row_functions.h"
#include "core/operations/row_groups.h"
#include "core/operations/score_finish.h"
#include "core/operations/score_operations.h"

namespace headlight::operations {
namespace {

using Vector = Eigen::RowVector<Scalar, Eigen::Dynamic>;

/// tanh(a + b(j)) for all keys of a sentence: n_key × d.
Matrix hidden_layer(const auto& a, const auto& keys) {
    Matrix T = keys.rowwise() + a;
    tanh_row(T.data(), T.data(), T.size());
    return T;
}

// ---- scores ----

void additive_scores_forward(const Call& call, View S) {
    const Index n_key = call.columns, d = call[0].cols();
    for_each_group(call, [&](const RowGroup& rows) {
        headlight::additive_scores({.a = call[0].data() + rows.begin * d,
                                    .b = call[1].data() + rows.group * n_key * d,
                                    .v = call[2].data(),
                                    .n_query = rows.count,
                                    .n_key = n_key,
                                    .width = d,
                                    .scale = call.settings.scale},
                                   S.data() + rows.begin * n_key);
    });
}

void additive_scores_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // S(i,j) = c Σ_d v(d) T(d), T = tanh(a(i) + b(j)):
    //     ∂v += c ∂S(i,j) T,  ∂a(i) and ∂b(j) += c ∂S(i,j) v ⊙ (1 − T²)
    const Index n_key = call.columns;
    const Vector v = call[2].col(0).transpose();
    for (Index i = 0; i < call.rows; ++i) {
        const Index key = row_group(call, i) * n_key;
        Matrix T = hidden_layer(call[0].row(i), call[1].middleRows(key, n_key));
        const Vector dS = call.settings.scale * gradient.row(i);
        into[2].noalias() += (dS * T).transpose();
        T.array() = (1 - T.array().square()).rowwise() * v.array();
        into[0].row(i).noalias() += dS * T;
        into[1].middleRows(key, n_key).noalias() += dS.asDiagonal() * T;
    }
}

Explanation additive_scores_explain(const Call& call, ConstView S, Index i, Index j) {
    Explanation e{.rule = "Σ_d v(d) · tanh(a(i,d) + b(j,d))", .terms = {}, .sum = 0, .finish = {}};
    const Index key = row_group(call, i) * call.columns + j;
    for (Index d = 0; d < call[0].cols(); ++d) {
        const Scalar a = call[0](i, d), b = call[1](key, d), v = call[2](d, 0);
        e.terms.push_back(
            {{{2, d, 0, v}, {0, i, d, a}, {1, key, d, b}}, v * std::tanh(a + b), "tanh"});
        e.sum += e.terms.back().value;
    }
    finish_scaled(e, call.settings.scale, 0, S(i, j));
    return e;
}

// ---- hidden layer ----

/// Which rows of a and b a row of the hidden layer is made from.
struct Pair {
    Index query = 0, key = 0;
};

Index keys_of_a_sentence(const Call& call) {
    const Index queries = call.settings.group_rows;
    return queries == 0 ? call[1].rows() : call[1].rows() / (call[0].rows() / queries);
}

Pair pair_at(const Call& call, Index row) {
    const Index n_key = keys_of_a_sentence(call), queries = call.settings.group_rows;
    const Index query = row / n_key, sentence = queries == 0 ? 0 : query / queries;
    return {query, sentence * n_key + row % n_key};
}

void additive_hidden_forward(const Call& call, View T) {
    for (Index p = 0; p < call.rows; ++p) {
        const auto [query, key] = pair_at(call, p);
        T.row(p) = call[0].row(query) + call[1].row(key);
    }
    tanh_row(T.data(), T.data(), T.size());
}

void additive_hidden_pull(const Call& call, ConstView T, ConstView gradient,
                          std::span<Matrix> into) {
    // T = tanh(a(i) + b(j)):  ∂a(i) and ∂b(j) += ∂T ⊙ (1 − T²)
    for (Index p = 0; p < call.rows; ++p) {
        const auto [query, key] = pair_at(call, p);
        const Vector slope = gradient.row(p).array() * (1 - T.row(p).array().square());
        into[0].row(query) += slope;
        into[1].row(key) += slope;
    }
}

Explanation additive_hidden_explain(const Call& call, ConstView T, Index p, Index d) {
    const auto [query, key] = pair_at(call, p);
    const Scalar a = call[0](query, d), b = call[1](key, d);
    return {.rule = "tanh(a(i,d) + b(j,d))",
            .terms = {{{{0, query, d, a}}, a}, {{{1, key, d, b}}, b}},
            .sum = a + b,
            .finish = {{"tanh", T(p, d)}}};
}

}  // namespace

const Operation additive_scores{
    "additive scores",    {"Scores", "A small network scores each query against each key."},
    row_inputs(0),        additive_scores_forward,
    additive_scores_pull, additive_scores_explain};
const Operation additive_hidden{"additive hidden layer",
                                {"Hidden layer", "tanh of query and key, for every pair of them."},
                                kWhole,
                                additive_hidden_forward,
                                additive_hidden_pull,
                                additive_hidden_explain};

}  // namespace headlight::operations
