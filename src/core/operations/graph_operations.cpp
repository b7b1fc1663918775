// Scores, features and sums along the edges of a graph. Nothing here is ever n × n.
#include "core/operations/graph_operations.h"

#include <cmath>

#include "core/numeric/generator.h"
#include "core/numeric/short_number.h"
#include "core/operations/leaky_pairs.h"
#include "core/operations/score_finish.h"

namespace headlight::operations {
namespace {

/// i reads j.
struct Ends {
    Index i, j;
};

Ends edge_ends(const Call& call, Index e) {
    const auto at = static_cast<std::size_t>(e);
    return {call.settings.edges->row[at], call.settings.edges->neighbour[at]};
}

/// True if the optional input with the features of the edges is there.
bool has_features(const Call& call, std::size_t input) {
    return call.in.size() > input;
}

// ---- edge features ----

std::string edge_key(const Call& call, Index e) {
    const Ends ends = edge_ends(call, e);
    const std::vector<std::string>& names = *call.settings.names;
    return "edge:" + names[static_cast<std::size_t>(ends.i)] + "\n" +
           names[static_cast<std::size_t>(ends.j)];
}

void edge_features_forward(const Call& call, View F) {
    for (Index at = 0; at < call.rows; ++at) {
        const SeededNumbers numbers(call.settings.seed, edge_key(call, call.first_row + at));
        for (Index f = 0; f < call.columns; ++f)
            F(at, f) = numbers.normal(0, f, call.settings.scale);
    }
}

Explanation edge_features_explain(const Call& call, ConstView F, Index e, Index f) {
    return {
        .rule = "F(e,f) ~ N(0, 1)",
        .terms = {},
        .sum = 0,
        .finish = {{"drawn for this edge, seed " + std::to_string(call.settings.seed), F(e, f)}}};
}

// ---- GAT with edge features ----

void edge_feature_scores_forward(const Call& call, View s) {
    for (Index at = 0; at < call.rows; ++at) {
        const Ends ends = edge_ends(call, call.first_row + at);
        s(at, 0) = call[0](ends.i, 0) + call[1](ends.j, 0) + call[2](at, 0);
    }
}

void edge_feature_scores_pull(const Call& call, ConstView, ConstView gradient,
                              std::span<Matrix> into) {
    for (Index e = 0; e < call.rows; ++e) {
        const Ends ends = edge_ends(call, e);
        into[0](ends.i, 0) += gradient(e, 0);
        into[1](ends.j, 0) += gradient(e, 0);
        into[2](e, 0) += gradient(e, 0);
    }
}

Explanation edge_feature_scores_explain(const Call& call, ConstView s, Index e, Index) {
    const Ends ends = edge_ends(call, e);
    const Scalar dst = call[0](ends.i, 0), src = call[1](ends.j, 0), edge = call[2](e, 0);
    return {.rule = "dst(i) + src(j) + edge(e)",
            .terms = {{{{0, ends.i, 0, dst}}, dst},
                      {{{1, ends.j, 0, src}}, src},
                      {{{2, e, 0, edge}}, edge}},
            .sum = s(e, 0),
            .finish = {}};
}

// ---- GATv2 ----

void edge_pair_scores_forward(const Call& call, View s) {
    const RowView a = as_row(call[2]);
    const Scalar slope = call.settings.scale;
    for (Index at = 0; at < call.rows; ++at) {
        const Ends ends = edge_ends(call, call.first_row + at);
        const auto x = row_view(call[0], ends.i) + row_view(call[1], ends.j);
        s(at, 0) = has_features(call, 3) ? leaky_score(a, x + row_view(call[3], at), slope)
                                         : leaky_score(a, x, slope);
    }
}

void edge_pair_scores_pull(const Call& call, ConstView, ConstView gradient,
                           std::span<Matrix> into) {
    RowArray x(call[0].cols());
    for (Index e = 0; e < call.rows; ++e) {
        const Ends ends = edge_ends(call, e);
        x = row_view(call[0], ends.i) + row_view(call[1], ends.j);
        if (has_features(call, 3)) x += row_view(call[3], e);
        pull_leaky_score(as_row(call[2]), call.settings.scale, gradient(e, 0), x, into[2]);
        into[0].row(ends.i).array() += x;
        into[1].row(ends.j).array() += x;
        if (has_features(call, 3)) into[3].row(e).array() += x;
    }
}

Explanation edge_pair_scores_explain(const Call& call, ConstView s, Index e, Index) {
    const Ends ends = edge_ends(call, e);
    std::vector<InputRow> rows = {{0, ends.i}, {1, ends.j}};
    if (has_features(call, 3)) rows.push_back({3, e});
    return explain_leaky_score(call, rows, s(e, 0));
}

// ---- the graph transformer ----

void edge_dot_scores_forward(const Call& call, View s) {
    for (Index at = 0; at < call.rows; ++at) {
        const Ends ends = edge_ends(call, call.first_row + at);
        const auto q = row_view(call[0], ends.i) * call.settings.scale;
        const RowView k = row_view(call[1], ends.j);
        s(at, 0) = has_features(call, 2) ? (q * (k + row_view(call[2], at))).sum() : (q * k).sum();
    }
}

void edge_dot_scores_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // s(e) = c Q(i) · (K(j) + F(e)):  ∂Q(i) += c ∂s (K + F),  ∂K(j) += c ∂s Q(i),  ∂F(e) the same
    const Scalar scale = call.settings.scale;
    for (Index e = 0; e < call.rows; ++e) {
        const Ends ends = edge_ends(call, e);
        const Scalar g = scale * gradient(e, 0);
        into[0].row(ends.i) += g * call[1].row(ends.j);
        into[1].row(ends.j) += g * call[0].row(ends.i);
        if (!has_features(call, 2)) continue;
        into[0].row(ends.i) += g * call[2].row(e);
        into[2].row(e) += g * call[0].row(ends.i);
    }
}

Explanation edge_dot_scores_explain(const Call& call, ConstView s, Index e, Index) {
    const Ends ends = edge_ends(call, e);
    Explanation ex{.rule = "Σ_d Q(i,d) · K(j,d)", .terms = {}, .sum = 0, .finish = {}};
    const auto add = [&](std::size_t input, Index row, Index d) {
        const Scalar q = call[0](ends.i, d), k = call[input](row, d);
        ex.terms.push_back({{{0, ends.i, d, q}, {input, row, d, k}}, q * k});
        ex.sum += q * k;
    };
    for (Index d = 0; d < call[0].cols(); ++d) {
        add(1, ends.j, d);
        if (has_features(call, 2)) add(2, e, d);
    }
    if (has_features(call, 2)) ex.rule += " + Q(i,d) · F(e,d)";
    ex.finish = {{"÷ " + divisor_text(call.settings.scale, call[0].cols()), s(e, 0)}};
    return ex;
}

void edge_feature_mix_forward(const Call& call, View Y) {
    const std::vector<Index>& offsets = call.settings.edges->offsets;
    for (Index at = 0; at < call.rows; ++at) {
        const auto i = static_cast<std::size_t>(call.first_row + at);
        Y.row(at).setZero();
        for (Index e = offsets[i]; e < offsets[i + 1]; ++e)
            Y.row(at) += call[0](e, 0) * (call[1].row(edge_ends(call, e).j) + call[2].row(e));
    }
}

void edge_feature_mix_pull(const Call& call, ConstView, ConstView gradient,
                           std::span<Matrix> into) {
    // Y(i) = Σ α(e) (V(j) + F(e)):  ∂α(e) += ∂Y(i) · (V(j) + F(e)),  ∂V(j), ∂F(e) += α(e) ∂Y(i)
    for (Index e = 0; e < call[0].rows(); ++e) {
        const Ends ends = edge_ends(call, e);
        into[0](e, 0) += gradient.row(ends.i).dot(call[1].row(ends.j) + call[2].row(e));
        into[1].row(ends.j) += call[0](e, 0) * gradient.row(ends.i);
        into[2].row(e) += call[0](e, 0) * gradient.row(ends.i);
    }
}

Explanation edge_feature_mix_explain(const Call& call, ConstView Y, Index i, Index d) {
    Explanation ex{
        .rule = "Σ_j α(i,j) · V(j,d) + α(i,j) · F(e,d)", .terms = {}, .sum = Y(i, d), .finish = {}};
    const std::vector<Index>& offsets = call.settings.edges->offsets;
    const auto row = static_cast<std::size_t>(i);
    for (Index e = offsets[row]; e < offsets[row + 1]; ++e) {
        const Index j = edge_ends(call, e).j;
        const Scalar a = call[0](e, 0), v = call[1](j, d), f = call[2](e, d);
        ex.terms.push_back({{{0, e, 0, a}, {1, j, d, v}}, a * v});
        ex.terms.push_back({{{0, e, 0, a}, {2, e, d, f}}, a * f});
    }
    return ex;
}

}  // namespace

const Operation edge_features{"edge features",       {},      kEveryInput,
                              edge_features_forward, nullptr, edge_features_explain};
const Operation edge_feature_scores{"edge feature scores",
                                    {"Scores", "Reader, neighbour and edge: three numbers added."},
                                    row_inputs(2),
                                    edge_feature_scores_forward,
                                    edge_feature_scores_pull,
                                    edge_feature_scores_explain};
const Operation edge_pair_scores{
    "edge pair scores",    {"Scores", "Both nodes' vectors added, LeakyReLU, then times a."},
    row_inputs(3),         edge_pair_scores_forward,
    edge_pair_scores_pull, edge_pair_scores_explain};
const Operation edge_dot_scores{
    "edge dot scores",    {"Scores", "The reader's query times the neighbour's key."},
    row_inputs(2),        edge_dot_scores_forward,
    edge_dot_scores_pull, edge_dot_scores_explain};
const Operation edge_feature_mix{
    "edge feature mix",
    {"Output of the head", "A mix of neighbours' values and of edges."},
    kWhole,
    edge_feature_mix_forward,
    edge_feature_mix_pull,
    edge_feature_mix_explain};

std::span<const Operation* const> graph_operations() {
    static const Operation* const table[] = {
        &edge_features,    &edge_feature_scores, &edge_pair_scores, &edge_dot_scores,
        &edge_feature_mix, &all_sum_scores,      &all_pair_scores,  &ranking};
    return table;
}

}  // namespace headlight::operations
