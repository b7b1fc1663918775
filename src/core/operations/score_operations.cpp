// Cosine scores, products cell by cell, and patterns weighted by the vectors that they move.
#include "core/operations/score_operations.h"

#include "core/numeric/product.h"
#include "core/numeric/row_functions.h"
#include "core/numeric/short_number.h"
#include "core/operations/call_parts.h"

namespace headlight::operations {
namespace {

using Vector = Eigen::RowVector<Scalar, Eigen::Dynamic>;

/// Returns ‖x‖ as a double: the squares of numbers that a float holds may be too large for one.
double l2_norm(const auto& x) {
    return x.template cast<double>().norm();
}

// ---- cosine ----

/// Returns the rows of X divided by their lengths; a row of zeros stays.
Matrix unit_rows(const auto& X) {
    Matrix U = X;
    for (Index i = 0; i < U.rows(); ++i) {
        const double length = l2_norm(X.row(i));
        if (length != 0)
            U.row(i) = (X.row(i).template cast<double>() / length).template cast<Scalar>();
    }
    return U;
}

void cosine_forward(const Call& call, View S) {
    const Index n_key = call.columns;
    for_each_group(call, [&](const RowGroup& rows) {
        const Matrix Q = unit_rows(call[0].middleRows(rows.begin, rows.count));
        const Matrix K = unit_rows(call[1].middleRows(rows.group * n_key, n_key));
        set_product(S.middleRows(rows.begin, rows.count), Q, K.transpose(), call.settings.scale);
    });
}

/// U = X / ‖X‖ by rows:  ∂X(i) += (∂U(i) − U(i) (U(i)·∂U(i))) / ‖X(i)‖
void pull_unit_rows(const auto& X, const Matrix& U, const Matrix& dU, auto dX) {
    for (Index i = 0; i < U.rows(); ++i) {
        const auto length = static_cast<Scalar>(l2_norm(X.row(i)));
        if (length != 0) dX.row(i) += (dU.row(i) - U.row(i) * U.row(i).dot(dU.row(i))) / length;
    }
}

void cosine_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // S = c U Wᵀ, where U and W are Q and K with rows of length 1:  ∂U = c ∂S W,  ∂W = c ∂Sᵀ U
    const Index n_key = call.columns;
    for_each_group(call, [&](const RowGroup& rows) {
        const auto Q = call[0].middleRows(rows.begin, rows.count);
        const auto K = call[1].middleRows(rows.group * n_key, n_key);
        const Matrix U = unit_rows(Q), W = unit_rows(K);
        const Matrix dS = call.settings.scale * gradient.middleRows(rows.begin, rows.count);
        pull_unit_rows(Q, U, dS * W, into[0].middleRows(rows.begin, rows.count));
        pull_unit_rows(K, W, dS.transpose() * U, into[1].middleRows(rows.group * n_key, n_key));
    });
}

Explanation cosine_explain(const Call& call, ConstView S, Index i, Index j) {
    Explanation e{
        .rule = "Σ_d Q(i,d) · K(j,d) / (‖Q(i)‖ ‖K(j)‖)", .terms = {}, .sum = 0, .finish = {}};
    const Index key = row_group(call, i) * call.columns + j;
    double sum = 0;
    for (Index d = 0; d < call[0].cols(); ++d) {
        const Scalar q = call[0](i, d), k = call[1](key, d);
        e.terms.push_back({{{0, i, d, q}, {1, key, d, k}}, q * k});
        sum += static_cast<double>(q) * static_cast<double>(k);
    }
    e.sum = static_cast<Scalar>(sum);
    const double lengths = l2_norm(call[0].row(i)) * l2_norm(call[1].row(key));
    if (lengths == 0) {
        e.finish = {{"a vector is 0 and has no direction", 0}};
        return e;
    }
    e.finish = {{"÷ (‖Q(i)‖ ‖K(j)‖)", static_cast<Scalar>(sum / lengths)}};
    finish_scaled(e, call.settings.scale, 0, S(i, j));
    return e;
}

// ---- norm-weighted ----

/// Returns the vector that each key contributes: V W_O[begin …], or V.
Matrix moved(const Call& call) {
    if (call.in.size() == 2) return call[1];
    return call[1] * call[2].middleRows(call.settings.begin, call[1].cols());
}

Vector lengths_of_rows(const Matrix& M) {
    return M.cast<double>().rowwise().norm().cast<Scalar>();
}

void norm_weighted_forward(const Call& call, View N) {
    const Vector lengths = lengths_of_rows(moved(call));
    for_each_group(call, [&](const RowGroup& rows) {
        const auto of_keys = lengths.segment(rows.group * call.columns, call.columns).array();
        N.middleRows(rows.begin, rows.count).array() =
            call[0].middleRows(rows.begin, rows.count).array().rowwise() * of_keys;
    });
}

void norm_weighted_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // N(i,j) = A(i,j) l(j), l(j) = ‖M(j)‖:
    //     ∂A(i,j) += ∂N(i,j) l(j),  ∂l(j) = Σ_i ∂N(i,j) A(i,j),  ∂M(j) = ∂l(j) M(j) / l(j)
    const Matrix M = moved(call);
    const Vector lengths = lengths_of_rows(M);
    Vector dM_over_M(lengths.size());
    for_each_group(call, [&](const RowGroup& rows) {
        const Index key = rows.group * call.columns;
        const auto l = lengths.segment(key, call.columns).array();
        const auto dN = gradient.middleRows(rows.begin, rows.count).array();
        const auto A = call[0].middleRows(rows.begin, rows.count).array();
        into[0].middleRows(rows.begin, rows.count).array() += dN.rowwise() * l;
        dM_over_M.segment(key, call.columns) = (l != 0).select((dN * A).colwise().sum() / l, 0);
    });
    const Matrix dM = dM_over_M.asDiagonal() * M;
    if (call.in.size() == 2) {
        into[1] += dM;
        return;
    }
    // M = V W_O[begin …]:  ∂V += ∂M W_Oᵀ,  ∂W_O[begin …] += Vᵀ ∂M
    const Index begin = call.settings.begin, d_v = call[1].cols();
    into[1].noalias() += dM * call[2].middleRows(begin, d_v).transpose();
    into[2].middleRows(begin, d_v).noalias() += call[1].transpose() * dM;
}

/// Returns one number of a key's vector, squared, with the cells that it is made from. Adds it to
/// `squares`.
Term squared_number(const Call& call, Index key, Index m, double& squares) {
    const Index begin = call.settings.begin;
    Term term;
    double number = 0;
    for (Index d = 0; d < call[1].cols(); ++d) {
        const Scalar v = call[1](key, d), w = call[2](begin + d, m);
        term.cells.push_back({1, key, d, v});
        term.cells.push_back({2, begin + d, m, w});
        number += static_cast<double>(v) * static_cast<double>(w);
    }
    squares += number * number;
    term.value = static_cast<Scalar>(number * number);
    return term;
}

Explanation norm_weighted_explain(const Call& call, ConstView N, Index i, Index j) {
    const bool has_output = call.in.size() == 3;
    const Index key = row_group(call, i) * call.columns + j;
    Explanation e;
    e.rule = has_output ? "A(i,j) · √(Σ_m (Σ_d V(j,d) · W_O(d,m))²)" : "A(i,j) · √(Σ_d V(j,d)²)";
    const Index width = has_output ? call[2].cols() : call[1].cols();
    double squares = 0;
    for (Index m = 0; m < width; ++m) {
        if (has_output) {
            e.terms.push_back(squared_number(call, key, m, squares));
        } else {
            const Scalar v = call[1](key, m);
            e.terms.push_back({{{1, key, m, v}, {1, key, m, v}}, v * v});
            squares += static_cast<double>(v) * static_cast<double>(v);
        }
    }
    e.sum = static_cast<Scalar>(squares);
    e.finish = {{"√, the length of what is moved", static_cast<Scalar>(std::sqrt(squares))},
                {"× A(i,j) = " + short_number(call[0](i, j)), N(i, j)}};
    return e;
}

// ---- cell by cell ----

void hadamard_forward(const Call& call, View C) {
    C = call[0].cwiseProduct(call[1]);
}

void hadamard_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // C = A ⊙ B:  ∂A += ∂C ⊙ B,  ∂B += ∂C ⊙ A
    into[0] += gradient.cwiseProduct(call[1]);
    into[1] += gradient.cwiseProduct(call[0]);
}

Explanation hadamard_explain(const Call& call, ConstView C, Index i, Index j) {
    const CellRef a{0, i, j, call[0](i, j)}, b{1, i, j, call[1](i, j)};
    return {.rule = "A(i,j) · B(i,j)", .terms = {{{a, b}, C(i, j)}}, .sum = C(i, j), .finish = {}};
}

}  // namespace

const Operation cosine_scores{
    "cosine scores", {"Scores", "The cosine of the angle between each query and each key."},
    row_inputs(0),   cosine_forward,
    cosine_pull,     cosine_explain};
// It is computed as a whole, since every row needs the lengths of the keys.
const Operation norm_weighted{
    "norm weighted", {}, kWhole, norm_weighted_forward, norm_weighted_pull, norm_weighted_explain};
const Operation hadamard{
    "hadamard",    {"Product of cells", "The two matrices are multiplied, cell by cell."},
    kEveryInput,   hadamard_forward,
    hadamard_pull, hadamard_explain};

std::span<const Operation* const> score_operations() {
    static const Operation* const table[] = {
        &cosine_scores,    &additive_scores, &additive_hidden, &relative_scores,
        &relative_mix,     &alibi_bias,      &bucket_bias,     &causal_bucket_bias,
        &quadratic_scores, &norm_weighted,   &hadamard};
    return table;
}

namespace {

using Vector = Eigen::RowVector<Scalar, Eigen::Dynamic>;

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
        Matrix T = call[1].middleRows(key, n_key).rowwise() + call[0].row(i);
        tanh_row(T.data(), T.data(), T.size());
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

/// The rows of a and b from which a row of the hidden layer is made.
struct HiddenRow {
    Index query = 0, key = 0;
};

HiddenRow hidden_row(const Call& call, Index row) {
    const Index queries = call.settings.group_rows, all_keys = call[1].rows();
    const Index n_key = queries == 0 ? all_keys : all_keys / (call[0].rows() / queries);
    const Index query = row / n_key, sentence = queries == 0 ? 0 : query / queries;
    return {query, sentence * n_key + row % n_key};
}

void additive_hidden_forward(const Call& call, View T) {
    for (Index p = 0; p < call.rows; ++p) {
        const auto [query, key] = hidden_row(call, p);
        T.row(p) = call[0].row(query) + call[1].row(key);
    }
    tanh_row(T.data(), T.data(), T.size());
}

void additive_hidden_pull(const Call& call, ConstView T, ConstView gradient,
                          std::span<Matrix> into) {
    // T = tanh(a(i) + b(j)):  ∂a(i) and ∂b(j) += ∂T ⊙ (1 − T²)
    for (Index p = 0; p < call.rows; ++p) {
        const auto [query, key] = hidden_row(call, p);
        const Vector slope = gradient.row(p).array() * (1 - T.row(p).array().square());
        into[0].row(query) += slope;
        into[1].row(key) += slope;
    }
}

Explanation additive_hidden_explain(const Call& call, ConstView T, Index p, Index d) {
    const auto [query, key] = hidden_row(call, p);
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

namespace {

using Vector = Eigen::RowVector<Scalar, Eigen::Dynamic>;

/// The rows of the table that the keys of one query meet: `count` of them from `begin` on.
struct Distances {
    Index query, clip;
    Index begin, count;

    /// Returns the row among them that key j meets.
    Index of(Index j) const { return std::clamp(j - query, -clip, clip) + clip - begin; }
};

Distances key_distances(const Call& call, Index row, Index n_key) {
    Distances to{row_position(call, row) + call.settings.begin, call.settings.count, 0, 0};
    to.begin = to.of(0);
    to.count = to.of(n_key - 1) + 1;
    return to;
}

/// Sums the numbers of the same distance.
Vector gathered(const Distances& to, const auto& row) {
    Vector sums = Vector::Zero(to.count);
    for (Index j = 0; j < row.size(); ++j) sums(to.of(j)) += row(j);
    return sums;
}

// ---- scores ----

void relative_scores_forward(const Call& call, View R) {
    Vector products;
    for (Index i = 0; i < call.rows; ++i) {
        const Distances to = key_distances(call, i, call.columns);
        products.noalias() = call[0].row(i) * call[1].middleRows(to.begin, to.count).transpose();
        products *= call.settings.scale;
        for (Index j = 0; j < call.columns; ++j) R(i, j) = products(to.of(j));
    }
}

void relative_scores_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // R(i,j) = c Q(i)·rel(o):  ∂Q(i) += c ∂R(i,j) rel(o),  ∂rel(o) += c ∂R(i,j) Q(i)
    for (Index i = 0; i < call.rows; ++i) {
        const Distances to = key_distances(call, i, call.columns);
        const Vector dR = call.settings.scale * gathered(to, gradient.row(i));
        into[0].row(i).noalias() += dR * call[1].middleRows(to.begin, to.count);
        into[1].middleRows(to.begin, to.count).noalias() += dR.transpose() * call[0].row(i);
    }
}

Explanation relative_scores_explain(const Call& call, ConstView R, Index i, Index j) {
    const Distances to = key_distances(call, i, call.columns);
    const Index distance = to.begin + to.of(j);
    Explanation e{.rule = "Σ_d Q(i,d) · rel(j − i + c, d)", .terms = {}, .sum = 0, .finish = {}};
    for (Index d = 0; d < call[0].cols(); ++d) {
        const Scalar q = call[0](i, d), r = call[1](distance, d);
        e.terms.push_back({{{0, i, d, q}, {1, distance, d, r}}, q * r});
        e.sum += q * r;
    }
    finish_scaled(e, call.settings.scale, call[0].cols(), R(i, j));
    return e;
}

// ---- mix ----

void relative_mix_forward(const Call& call, View Y) {
    for (Index i = 0; i < call.rows; ++i) {
        const Distances to = key_distances(call, i, call[0].cols());
        Y.row(i).noalias() = gathered(to, call[0].row(i)) * call[1].middleRows(to.begin, to.count);
    }
}

void relative_mix_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // Y(i) = Σ_j A(i,j) rel(o):  ∂A(i,j) += ∂Y(i)·rel(o),  ∂rel(o) += A(i,j) ∂Y(i)
    const Index n_key = call[0].cols();
    for (Index i = 0; i < call.rows; ++i) {
        const Distances to = key_distances(call, i, n_key);
        const Vector dA = gradient.row(i) * call[1].middleRows(to.begin, to.count).transpose();
        for (Index j = 0; j < n_key; ++j) into[0](i, j) += dA(to.of(j));
        into[1].middleRows(to.begin, to.count).noalias() +=
            gathered(to, call[0].row(i)).transpose() * gradient.row(i);
    }
}

Explanation relative_mix_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Distances to = key_distances(call, i, call[0].cols());
    Explanation e{
        .rule = "Σ_j A(i,j) · rel(j − i + c, d)", .terms = {}, .sum = Y(i, d), .finish = {}};
    for (Index j = 0; j < call[0].cols(); ++j) {
        const Index distance = to.begin + to.of(j);
        const Scalar a = call[0](i, j), r = call[1](distance, d);
        e.terms.push_back({{{0, i, j, a}, {1, distance, d, r}}, a * r});
    }
    return e;
}

}  // namespace

const Operation relative_scores{"relative scores",    {},
                                row_inputs(0),        relative_scores_forward,
                                relative_scores_pull, relative_scores_explain};
const Operation relative_mix{
    "relative mix",    {"Positions read", "Vectors of the distances, weighted by the pattern."},
    row_inputs(0),     relative_mix_forward,
    relative_mix_pull, relative_mix_explain};

}  // namespace headlight::operations
