// The attention between every pair of nodes, edge or not, and the order of its size.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/operations/graph_operations.h"
#include "core/operations/leaky_pairs.h"

namespace headlight::operations {
namespace {

void all_sum_scores_forward(const Call& call, View S) {
    const RowView src = as_row(call[1]);
    for (Index i = 0; i < call.rows; ++i)
        S.row(i).array() = leaky(src + call[0](i, 0), call.settings.scale);
}

void all_sum_scores_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // S(i,j) = φ(dst(i) + src(j)):  ∂dst(i) and ∂src(j) += ∂S(i,j) φ'
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j) {
            const bool is_positive = call[0](i, 0) + call[1](j, 0) > 0;
            const Scalar g = gradient(i, j) * (is_positive ? Scalar(1) : call.settings.scale);
            into[0](i, 0) += g;
            into[1](j, 0) += g;
        }
}

Explanation all_sum_scores_explain(const Call& call, ConstView S, Index i, Index j) {
    const Scalar dst = call[0](i, 0), src = call[1](j, 0);
    return {.rule = "LeakyReLU(dst(i) + src(j))",
            .terms = {{{{0, i, 0, dst}}, dst}, {{{1, j, 0, src}}, src}},
            .sum = dst + src,
            .finish = {{dst + src > 0 ? "positive: as it is" : "× slope", S(i, j)}}};
}

void all_pair_scores_forward(const Call& call, View S) {
    const RowView a = as_row(call[2]);
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j)
            S(i, j) =
                leaky_score(a, row_view(call[0], i) + row_view(call[1], j), call.settings.scale);
}

void all_pair_scores_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    RowArray x(call[0].cols());
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j) {
            x = row_view(call[0], i) + row_view(call[1], j);
            pull_leaky_score(as_row(call[2]), call.settings.scale, gradient(i, j), x, into[2]);
            into[0].row(i).array() += x;
            into[1].row(j).array() += x;
        }
}

Explanation all_pair_scores_explain(const Call& call, ConstView S, Index i, Index j) {
    return explain_leaky_score(call, std::vector<InputRow>{{0, i}, {1, j}}, S(i, j));
}

/// A higher score comes first, then a lower index.
bool comes_before(const RowView& scores, Index j, Index k) {
    const Scalar a = scores(j), b = scores(k);
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) == std::isnan(b) ? j < k : !std::isnan(a);
    return a != b ? a > b : j < k;
}

void ranking_forward(const Call& call, View R) {
    std::vector<Index> order(static_cast<std::size_t>(call.columns));
    for (Index i = 0; i < call.rows; ++i) {
        const RowView scores = row_view(call[0], i);
        std::iota(order.begin(), order.end(), Index(0));
        std::ranges::sort(order, [&](Index j, Index k) { return comes_before(scores, j, k); });
        for (std::size_t rank = 0; rank < order.size(); ++rank)
            R(i, order[rank]) = static_cast<Scalar>(rank);
    }
}

Explanation ranking_explain(const Call& call, ConstView R, Index i, Index j) {
    Explanation e{.rule = "how many keys query i scores higher than j",
                  .terms = {},
                  .sum = R(i, j),
                  .finish = {}};
    const RowView scores = row_view(call[0], i);
    for (Index k = 0; k < call.columns; ++k)
        if (k != j && comes_before(scores, k, j)) e.terms.push_back({{{0, i, k, scores(k)}}, 1});
    return e;
}

}  // namespace

const Operation all_sum_scores{
    "all sum scores",    {"Scores of all pairs", "As if every node were every other's neighbour."},
    row_inputs(0),       all_sum_scores_forward,
    all_sum_scores_pull, all_sum_scores_explain};
const Operation all_pair_scores{
    "all pair scores",    {"Scores of all pairs", "As if every node were every other's neighbour."},
    row_inputs(0),        all_pair_scores_forward,
    all_pair_scores_pull, all_pair_scores_explain};
const Operation ranking{
    "ranking",     {"Ranking", "The rank of each key in its row; 0 is the best."},
    row_inputs(0), ranking_forward,
    nullptr,       ranking_explain};

}  // namespace headlight::operations
