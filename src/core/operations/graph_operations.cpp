// Scores, features and sums along the edges of a graph. Nothing here is ever n × n.
#include "core/operations/graph_operations.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>
#include <vector>

#include "core/numeric/generator.h"
#include "core/numeric/product.h"
#include "core/numeric/short_number.h"
#include "core/numeric/softmax.h"
#include "core/operation.h"
#include "core/operations/call_parts.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

using RowArray = Eigen::Array<Scalar, 1, Eigen::Dynamic>;

using RowView = Eigen::Map<const RowArray>;

RowView row_view(const ConstView& matrix, Index row) {
    return {matrix.data() + row * matrix.cols(), matrix.cols()};
}

/// Views a d × 1 matrix as a row.
RowView as_row(const ConstView& column) {
    return {column.data(), column.rows()};
}

/// v where v > 0, else slope · v, for every v of x. NaN stays NaN.
auto leaky(const auto& x, Scalar slope) {
    return x.max(Scalar(0)) + slope * x.min(Scalar(0));
}

Scalar leaky_score(const RowView& a, const auto& x, Scalar slope) {
    return (a * leaky(x, slope)).sum();
}

/// The summands of leaky_score: a(d) times the LeakyReLU of the sum of d's cells in `rows`, which
/// are rows of the inputs they name.
struct InputRow {
    std::size_t input;
    Index row;
};

/// Computes the gradients of leaky_score: `to_a` gets that of a; x becomes that of x itself.
void pull_leaky_score(const RowView& a, Scalar slope, Scalar gradient, RowArray& x, Matrix& to_a) {
    // ∂a(d) += ∂s LeakyReLU(x(d)),  ∂x(d) = ∂s a(d) · (1 where x(d) > 0, else slope)
    to_a.col(0).array() += gradient * leaky(x, slope).transpose();
    for (Index d = 0; d < x.size(); ++d) x(d) = gradient * a(d) * (x(d) > 0 ? Scalar(1) : slope);
}

Explanation explain_leaky_score(const Call& call, std::span<const InputRow> rows, Scalar result) {
    constexpr std::size_t kWeights = 2;
    Explanation e{.rule = "Σ_d a(d) · LeakyReLU(H_{dst}(i,d) + H_{src}(j,d))",
                  .terms = {},
                  .sum = result,
                  .finish = {}};
    if (rows.size() > 2) e.rule.insert(e.rule.size() - 1, " + F(e,d)");
    for (Index d = 0; d < call[kWeights].rows(); ++d) {
        const Scalar a = call[kWeights](d, 0);
        Term term{.cells = {{kWeights, d, 0, a}}, .of_sum = "LeakyReLU"};
        Scalar x = 0;
        for (const InputRow& row : rows) {
            term.cells.push_back({row.input, row.row, d, call[row.input](row.row, d)});
            x += term.cells.back().value;
        }
        term.value = a * (x > 0 ? x : call.settings.scale * x);
        e.terms.push_back(std::move(term));
    }
    return e;
}

}  // namespace
}  // namespace headlight

namespace headlight::operations {
namespace {

/// The ends of an edge: i reads j.
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

void edge_features_forward(const Call& call, View F) {
    for (Index at = 0; at < call.rows; ++at) {
        const Ends ends = edge_ends(call, call.first_row + at);
        const std::vector<std::string>& names = *call.settings.names;
        const SeededNumbers numbers(
            call.settings.seed, fmt::format("edge:{}\n{}", names[static_cast<std::size_t>(ends.i)],
                                            names[static_cast<std::size_t>(ends.j)]));
        for (Index f = 0; f < call.columns; ++f)
            F(at, f) = numbers.normal(0, f, call.settings.scale);
    }
}

Explanation edge_features_explain(const Call& call, ConstView F, Index e, Index f) {
    return {.rule = "F(e,f) ~ N(0, 1)",
            .terms = {},
            .sum = 0,
            .finish = {{fmt::format("drawn for this edge, seed {}", call.settings.seed), F(e, f)}}};
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

namespace {

void edge_scores_forward(const Call& call, View s) {
    const Edges& edges = *call.settings.edges;
    const Index n = edges.size(), *row = edges.row.data(), *neighbour = edges.neighbour.data();
    const Scalar *dst = call[0].data(), *src = call[1].data();
    for (Index e = 0; e < n; ++e) s.data()[e] = dst[row[e]] + src[neighbour[e]];
}

void edge_scores_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    const Edges& edges = *call.settings.edges;
    for (Index e = 0; e < edges.size(); ++e) {
        const auto at = static_cast<std::size_t>(e);
        into[0](edges.row[at], 0) += gradient(e, 0);
        into[1](edges.neighbour[at], 0) += gradient(e, 0);
    }
}

Explanation edge_scores_explain(const Call& call, ConstView s, Index e, Index) {
    const Edges& edges = *call.settings.edges;
    const Index i = edges.row[static_cast<std::size_t>(e)];
    const Index j = edges.neighbour[static_cast<std::size_t>(e)];
    const Scalar dst = call[0](i, 0), src = call[1](j, 0);
    return {.rule = "dst(i) + src(j)",
            .terms = {{{{0, i, 0, dst}}, dst}, {{{1, j, 0, src}}, src}},
            .sum = s(e, 0),
            .finish = {}};
}

void edge_softmax_together(std::span<const Call> calls, std::span<const View> results) {
    std::vector<ListScores> heads;
    heads.reserve(calls.size());
    for (std::size_t h = 0; h < calls.size(); ++h) {
        View alpha = results[h];
        heads.push_back({calls[h][0].data(), alpha.data()});
    }
    softmax_lists(calls[0].settings.edges->offsets, heads);
}

void edge_softmax_forward(const Call& call, View alpha) {
    edge_softmax_together({&call, 1}, {&alpha, 1});
}

void edge_softmax_pull(const Call& call, ConstView alpha, ConstView gradient,
                       std::span<Matrix> into) {
    // ∂s(e) = α(e) (∂α(e) − Σ ∂α(e') α(e')) over the edges e' of the same row
    const Edges& edges = *call.settings.edges;
    for (std::size_t i = 0; i + 1 < edges.offsets.size(); ++i) {
        const Index begin = edges.offsets[i], count = edges.offsets[i + 1] - begin;
        const auto a = alpha.col(0).segment(begin, count).array();
        const auto g = gradient.col(0).segment(begin, count).array();
        into[0].col(0).segment(begin, count).array() += a * (g - (a * g).sum());
    }
}

Explanation edge_softmax_explain(const Call& call, ConstView alpha, Index e, Index) {
    const Edges& edges = *call.settings.edges;
    const auto row = static_cast<std::size_t>(edges.row[static_cast<std::size_t>(e)]);
    std::vector<CellRef> scores;
    for (Index k = edges.offsets[row]; k < edges.offsets[row + 1]; ++k)
        scores.push_back({0, k, 0, call[0](k, 0)});
    return explain_softmax(std::move(scores), static_cast<std::size_t>(e - edges.offsets[row]),
                           alpha(e, 0));
}

void edge_mix_together(std::span<const Call> calls, std::span<const View> results) {
    const Edges& edges = *calls[0].settings.edges;
    std::vector<SparseProduct> heads;
    heads.reserve(calls.size());
    for (std::size_t h = 0; h < calls.size(); ++h) {
        View Y = results[h];
        heads.push_back({.offsets = edges.offsets.data(),
                         .neighbour = edges.neighbour.data(),
                         .weights = calls[h][0].data(),
                         .B = calls[h][1].data(),
                         .C = Y.data(),
                         .rows = calls[h].rows,
                         .columns = calls[h].columns});
    }
    compute_products(heads.data(), std::ssize(heads));
}

void edge_mix_forward(const Call& call, View Y) {
    edge_mix_together({&call, 1}, {&Y, 1});
}

void edge_mix_pull(const Call& call, ConstView, ConstView gradient, std::span<Matrix> into) {
    // Y(i) = Σ α(e) H(j):  ∂α(e) += ∂Y(i) · H(j),  ∂H(j) += α(e) ∂Y(i)
    const Edges& edges = *call.settings.edges;
    for (Index e = 0; e < edges.size(); ++e) {
        const Index i = edges.row[static_cast<std::size_t>(e)];
        const Index j = edges.neighbour[static_cast<std::size_t>(e)];
        into[0](e, 0) += gradient.row(i).dot(call[1].row(j));
        into[1].row(j) += call[0](e, 0) * gradient.row(i);
    }
}

Explanation edge_mix_explain(const Call& call, ConstView Y, Index i, Index d) {
    const Edges& edges = *call.settings.edges;
    Explanation ex{.rule = "Σ_j α(i,j) · H(j,d)", .terms = {}, .sum = Y(i, d), .finish = {}};
    const auto row = static_cast<std::size_t>(i);
    for (Index e = edges.offsets[row]; e < edges.offsets[row + 1]; ++e) {
        const Index j = edges.neighbour[static_cast<std::size_t>(e)];
        const Scalar a = call[0](e, 0), h = call[1](j, d);
        ex.terms.push_back({{{0, e, 0, a}, {1, j, d, h}}, a * h});
    }
    return ex;
}

}  // namespace

const Operation edge_scores{
    "edge scores",    {"Scores", "For each edge, the reader's number plus the neighbour's."},
    kWhole,           edge_scores_forward,
    edge_scores_pull, edge_scores_explain};
const Operation edge_softmax{
    .name = "edge softmax",
    .words = {"Attention pattern", "Softmax: each node distributes 1 over its neighbours."},
    .by_row = kWhole,
    .forward = edge_softmax_forward,
    .pull = edge_softmax_pull,
    .explain = edge_softmax_explain,
    .forward_together = edge_softmax_together};
const Operation edge_mix{
    .name = "edge mix",
    .words = {"Output of the head", "Each node's mix of its neighbours' vectors."},
    .by_row = kWhole,
    .forward = edge_mix_forward,
    .pull = edge_mix_pull,
    .explain = edge_mix_explain,
    .forward_together = edge_mix_together};

std::span<const Operation* const> edge_operations() {
    static const Operation* const table[] = {&edge_scores, &edge_softmax, &edge_mix};
    return table;
}

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

/// True if key j comes before key k: a higher score comes first, then a lower index.
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
