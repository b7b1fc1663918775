// Attention flow: how much of an input word can reach an output word through the layers' patterns.
#include <algorithm>
#include <limits>

#include "core/operations/analysis_operations.h"

namespace headlight::operations {
namespace {

/// Words of one sentence before the first layer, between layers, and after the last one: node
/// l · n + i. An edge leads from a word down to one that it reads, as wide as it reads it.
class Layers {
  public:
    Layers(const Call& call, Index first_row)
        : n_(call[0].cols()), n_layers_(static_cast<Index>(call.in.size())) {
        for (const ConstView& layer : call.in) widths_.push_back(layer.middleRows(first_row, n_));
    }

    /// NaN and infinite capacities have no greatest flow.
    bool are_finite() const {
        return std::all_of(widths_.begin(), widths_.end(),
                           [](const Matrix& layer) { return layer.allFinite(); });
    }

    /// The greatest flow from word i of the top to word j of the bottom.   [Dinic 1970]
    Scalar greatest_flow(Index i, Index j) {
        down_ = widths_;
        up_.assign(widths_.size(), Matrix::Zero(n_, n_));
        source_ = n_layers_ * n_ + i, sink_ = j;
        Scalar flow = 0;
        while (find_levels()) {
            next_.assign(static_cast<std::size_t>((n_layers_ + 1) * n_), 0);
            while (const Scalar pushed = push(source_, std::numeric_limits<Scalar>::infinity()))
                flow += pushed;
        }
        return flow;
    }

  private:
    // Neighbours of a node are counted through: first the n words below, then the n above.
    Index neighbour(Index node, Index k) const {
        return k < n_ ? node / n_ * n_ - n_ + k : node / n_ * n_ + k;
    }
    /// What may still flow from a node to its neighbour k; null where there is none.
    Scalar* room(Index node, Index k) {
        const Index layer = node / n_, word = node % n_;
        if (k < n_) return layer == 0 ? nullptr : &down_[at(layer - 1)](word, k);
        return layer == n_layers_ ? nullptr : &up_[at(layer)](k - n_, word);
    }
    Scalar* room_back(Index node, Index k) {
        const Index layer = node / n_, word = node % n_;
        return k < n_ ? &up_[at(layer - 1)](word, k) : &down_[at(layer)](k - n_, word);
    }
    static std::size_t at(Index index) { return static_cast<std::size_t>(index); }

    /// Distances from the source over edges with room. False if the sink is not reached.
    bool find_levels() {
        level_.assign(at((n_layers_ + 1) * n_), -1);
        std::vector<Index> queue{source_};
        level_[at(source_)] = 0;
        for (std::size_t q = 0; q < queue.size(); ++q)
            for (Index k = 0; k < 2 * n_; ++k) {
                const Scalar* free = room(queue[q], k);
                if (!free || *free <= kLeast) continue;
                const Index to = neighbour(queue[q], k);
                if (level_[at(to)] >= 0) continue;
                level_[at(to)] = level_[at(queue[q])] + 1;
                queue.push_back(to);
            }
        return level_[at(sink_)] >= 0;
    }

    Scalar push(Index node, Scalar most) {
        if (node == sink_) return most;
        for (Index& k = next_[at(node)]; k < 2 * n_; ++k) {
            Scalar* free = room(node, k);
            if (!free || *free <= kLeast) continue;
            const Index to = neighbour(node, k);
            if (level_[at(to)] != level_[at(node)] + 1) continue;
            if (const Scalar pushed = push(to, std::min(most, *free))) {
                *free -= pushed;
                *room_back(node, k) += pushed;
                return pushed;
            }
        }
        return 0;
    }

    // Less room than this is rounding.
    static constexpr Scalar kLeast = std::numeric_limits<Scalar>::epsilon();

    Index n_, n_layers_, source_ = 0, sink_ = 0;
    std::vector<Matrix> widths_, down_, up_;
    std::vector<Index> level_, next_;
};

void attention_flow_forward(const Call& call, View F) {
    const Index n = call.columns;
    for (Index first = 0; first < call.rows; first += n) {
        Layers layers(call, first);
        if (!layers.are_finite()) {
            F.middleRows(first, n).setConstant(std::numeric_limits<Scalar>::quiet_NaN());
            continue;
        }
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) F(first + i, j) = layers.greatest_flow(i, j);
            const Scalar sum = F.row(first + i).sum();
            if (sum > 0) F.row(first + i) /= sum;
        }
    }
}

Explanation attention_flow_explain(const Call&, ConstView F, Index i, Index j) {
    return {.rule = "greatest flow from i, after the last layer, to j ÷ Σ_j",
            .terms = {},
            .sum = 0,
            .finish = {{"over all ways through the layers", F(i, j)}}};
}

}  // namespace

const Operation attention_flow{"attention flow",       {},      kWhole,
                               attention_flow_forward, nullptr, attention_flow_explain};

}  // namespace headlight::operations
