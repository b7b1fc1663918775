// Vectors for relative positions, one a distance, in scores and in what is brought back.
#include "core/operations/row_groups.h"
#include "core/operations/score_finish.h"
#include "core/operations/score_operations.h"

namespace headlight::operations {
namespace {

using Vector = Eigen::RowVector<Scalar, Eigen::Dynamic>;

/// The rows of the table that the keys of one query meet: `count` of them from `begin` on.
struct Distances {
    Index query, clip;
    Index begin, count;

    /// Which of them key j meets.
    Index of(Index j) const { return std::clamp(j - query, -clip, clip) + clip - begin; }
};

Distances key_distances(const Call& call, Index row, Index n_key) {
    Distances to{row_position(call, row) + call.settings.begin, call.settings.count, 0, 0};
    to.begin = to.of(0);
    to.count = to.of(n_key - 1) + 1;
    return to;
}

/// Sums what belongs to the same distance.
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
