#include "core/analyses/graph_head_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analyses/head_metrics.h"

namespace headlight::operations {
namespace {

class GraphReading {
  public:
    GraphReading(const ConstView& pattern, const Edges& edges) : A_(pattern), edges_(edges) {
        sums_.assign(static_cast<std::size_t>(edges.n_nodes), Scalar(0));
        for (Index e = 0; e < edges.size(); ++e) sums_[row_of(e)] += A_(e, 0);
        for (Index i = 0; i < edges.n_nodes; ++i) read_node(i);
    }

    /// False for a pattern with NaN or infinity.
    bool is_defined() const {
        return std::ranges::all_of(sums_, [](Scalar sum) { return std::isfinite(sum); });
    }
    Scalar entropy() const { return mean(entropy_); }
    Scalar sparsity() const { return mean(sparsity_); }
    Scalar symmetry() const { return squares_ > 0 ? mutual_ / squares_ : Scalar(0); }

  private:
    std::size_t row_of(Index e) const {
        return static_cast<std::size_t>(edges_.row[static_cast<std::size_t>(e)]);
    }
    Scalar mean(Scalar sum) const {
        return n_read_ > 0 ? sum / static_cast<Scalar>(n_read_) : Scalar(0);
    }

    /// α of node `row` on `neighbour`; 0 without that edge.
    Scalar weight(Index row, Index neighbour) const {
        const auto at = [&](Index node) {
            return edges_.neighbour.begin() + edges_.offsets[static_cast<std::size_t>(node)];
        };
        const auto found = std::lower_bound(at(row), at(row + 1), neighbour);
        if (found == at(row + 1) || *found != neighbour) return 0;
        return share(found - edges_.neighbour.begin());
    }
    Scalar share(Index e) const {
        const Scalar sum = sums_[row_of(e)];
        return sum > 0 ? A_(e, 0) / sum : Scalar(0);
    }

    void read_node(Index i) {
        if (!(sums_[static_cast<std::size_t>(i)] > 0)) return;
        const Index begin = edges_.offsets[static_cast<std::size_t>(i)],
                    end = edges_.offsets[static_cast<std::size_t>(i) + 1];
        Scalar squares = 0;
        for (Index e = begin; e < end; ++e) {
            const Scalar a = share(e);
            if (a > 0) entropy_ -= a * std::log2(a);
            squares += a * a;
            mutual_ += a * weight(edges_.neighbour[static_cast<std::size_t>(e)], i);
        }
        const Scalar root = std::sqrt(static_cast<Scalar>(end - begin));
        if (root > 1) sparsity_ += (root - 1 / std::sqrt(squares)) / (root - 1);
        squares_ += squares;
        ++n_read_;
    }

    const ConstView& A_;
    const Edges& edges_;
    std::vector<Scalar> sums_;  // of each node's edges
    Scalar entropy_ = 0, sparsity_ = 0, squares_ = 0, mutual_ = 0;
    Index n_read_ = 0;
};

}  // namespace

void graph_head_metrics(const Call& call, View result) {
    const GraphReading reading(call[0], *call.settings.edges);
    result.setConstant(std::numeric_limits<Scalar>::quiet_NaN());
    if (!reading.is_defined()) return;
    for (Index row = 0; row < result.rows(); ++row) {
        result(row, static_cast<Index>(HeadMetric::Entropy)) = reading.entropy();
        result(row, static_cast<Index>(HeadMetric::Symmetry)) = reading.symmetry();
        result(row, static_cast<Index>(HeadMetric::Sparsity)) = reading.sparsity();
    }
}

}  // namespace headlight::operations
