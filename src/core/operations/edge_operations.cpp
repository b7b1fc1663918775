// Operations over the edges of a graph: nothing here is ever n × n.
#include <utility>
#include <vector>

#include "core/numeric/product.h"
#include "core/numeric/softmax.h"
#include "core/operations/operations.h"

namespace headlight::operations {
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

}  // namespace headlight::operations
