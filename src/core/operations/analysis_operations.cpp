#include "core/operations/analysis_operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
#include "core/gradient.h"
#include "core/operation.h"
#include "core/trace.h"

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
    Scalar entropy() const {
        return n_read_ > 0 ? entropy_ / static_cast<Scalar>(n_read_) : Scalar(0);
    }
    /// Returns the sparsity; NaN where no node reads several.
    Scalar sparsity() const {
        return n_several_ > 0 ? sparsity_ / static_cast<Scalar>(n_several_)
                              : std::numeric_limits<Scalar>::quiet_NaN();
    }
    Scalar symmetry() const { return squares_ > 0 ? mutual_ / squares_ : Scalar(0); }

  private:
    std::size_t row_of(Index e) const {
        return static_cast<std::size_t>(edges_.row[static_cast<std::size_t>(e)]);
    }

    /// Returns α of node `row` on `neighbour`; 0 without that edge.
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
        if (root > 1) {
            sparsity_ += (root - 1 / std::sqrt(squares)) / (root - 1);
            ++n_several_;
        }
        squares_ += squares;
        ++n_read_;
    }

    const ConstView& A_;
    const Edges& edges_;
    std::vector<Scalar> sums_;  // of each node's edges
    Scalar entropy_ = 0, sparsity_ = 0, squares_ = 0, mutual_ = 0;
    Index n_read_ = 0, n_several_ = 0;  // nodes that read something, and several
};

/// Input: a pattern, E × 1, with `settings.edges`. Result: 2 × metrics, both rows the same, since a
/// graph has no first token. α(i,j) is renormalised over the neighbours that node i reads; means
/// are over the nodes that read something:
///     entropy    mean_i −Σ_j α(i,j) log₂ α(i,j)
///     symmetry   Σ α(i,j) α(j,i) / Σ α(i,j)²,  α(j,i) = 0 without that edge
///     sparsity   mean_i (√n − 1/‖α(i)‖) / (√n − 1), n > 1 the neighbours of i            [Hoyer]
/// The others need an order of the nodes, or words: NaN.
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

constexpr std::size_t kMetrics = 10;
constexpr Scalar kUnknown = std::numeric_limits<Scalar>::quiet_NaN();

struct Mean {
    Scalar sum = 0;
    Index count = 0;

    void add(Scalar value) {
        sum += value;
        ++count;
    }
    Scalar value() const { return count == 0 ? Scalar(0) : sum / static_cast<Scalar>(count); }
};

/// The metrics of one head, without the first `skip` tokens.
class HeadReading {
  public:
    HeadReading(const Call& call, Index skip)
        : A_(call[0]),
          N_(call.in.size() > 1 ? &call[1] : nullptr),
          words_(*call.settings.indices),
          n_(A_.cols()),
          skip_(skip),
          part_(A_.rows(), Scalar(0)) {
        for (Index r = 0; r < A_.rows(); ++r) {
            const bool is_counted = word(r) >= 0 && r % n_ >= skip_;
            const Scalar sum = is_counted ? A_.row(r).tail(n_ - skip_).sum() : Scalar(0);
            if (!std::isfinite(sum)) is_defined_ = false;
            if (sum > 0) part_[static_cast<std::size_t>(r)] = 1 / sum;
        }
        for (Index r = 0; r < A_.rows(); ++r)
            if (part(r) > 0) read_row(r);
    }

    /// Returns the weight on the words that followed earlier occurrences of the row's own word.
    Scalar induction() const {
        return is_defined_ && induction_.count > 0 ? induction_.value() : kUnknown;
    }

    void write(View result, Index row, Scalar induction) const {
        const Scalar values[kMetrics] = {entropy_.value(),  distance_.value(),
                                         previous_.value(), next_.value(),
                                         first_.value(),    duplicate_.value(),
                                         induction,         symmetry(),
                                         sparsity_.value(), N_ ? norm_.value() : kUnknown};
        for (std::size_t m = 0; m < kMetrics; ++m)
            result(row, static_cast<Index>(m)) = is_defined_ ? values[m] : kUnknown;
        result(row, static_cast<Index>(HeadMetric::Induction)) = induction;
    }

  private:
    Index word(Index r) const { return words_[static_cast<std::size_t>(r)]; }
    /// Returns 1 / the row's sum, or 0 for a row that does not count.
    Scalar part(Index r) const { return part_[static_cast<std::size_t>(r)]; }

    /// Counts the words of a sentence that can be read, without padding.
    Index count_words(Index begin) const {
        Index n = 0;
        for (Index j = skip_; j < n_; ++j) n += word(begin + j) >= 0;
        return n;
    }

    void read_row(Index r) {
        const Index i = r % n_, begin = r - i;
        Scalar entropy = 0, distance = 0, squares = 0, mutual = 0, norm = 0, duplicate = 0;
        bool has_duplicate = false, has_follower = false;
        Scalar follower = 0;
        for (Index j = skip_; j < n_; ++j) {
            const Scalar a = A_(r, j) * part(r);
            if (a > 0) entropy -= a * std::log2(a);
            distance += a * static_cast<Scalar>(std::abs(i - j));
            squares += a * a;
            if (part(begin + j) > 0) mutual += a * A_(begin + j, i) * part(begin + j);
            if (N_) norm += (*N_)(r, j) * part(r);
            if (j < i && word(begin + j) == word(r)) {
                has_duplicate = true;
                duplicate += a;
                if (j + 1 == i) continue;  // the word that followed is the row's own
                has_follower = true;
                follower += A_(r, j + 1) * part(r);
            }
        }
        entropy_.add(entropy), distance_.add(distance), norm_.add(norm);
        if (has_duplicate) duplicate_.add(duplicate);
        if (has_follower) induction_.add(follower);
        squares_ += squares, mutual_ += mutual;
        add_neighbours(r, i, begin);
        const Scalar root = std::sqrt(static_cast<Scalar>(count_words(begin)));
        if (root > 1) sparsity_.add((root - 1 / std::sqrt(squares)) / (root - 1));
    }

    void add_neighbours(Index r, Index i, Index begin) {
        if (i > skip_) {
            previous_.add(A_(r, i - 1) * part(r));
            first_.add(A_(r, skip_) * part(r));
        }
        if (i + 1 < n_ && word(begin + i + 1) >= 0) next_.add(A_(r, i + 1) * part(r));
    }

    Scalar symmetry() const { return squares_ > 0 ? mutual_ / squares_ : Scalar(0); }

    const ConstView& A_;
    const ConstView* N_;  // null: not known
    const std::vector<Index>& words_;
    Index n_, skip_;
    std::vector<Scalar> part_;
    Mean entropy_, distance_, previous_, next_, first_, duplicate_, induction_, sparsity_, norm_;
    Scalar squares_ = 0, mutual_ = 0;
    bool is_defined_ = true;  // no row that counts has NaN or infinity
};

void head_metrics_forward(const Call& call, View result) {
    if (call.settings.edges) return graph_head_metrics(call, result);
    for (Index skip = 0; skip < 2; ++skip) {
        const HeadReading reading(call, skip);
        const bool has_probe = call.in.size() > 2;
        reading.write(result, skip,
                      has_probe ? induction_on_probe(call[2], skip) : reading.induction());
    }
}

Explanation head_metrics_explain(const Call& call, ConstView result, Index row, Index column) {
    static constexpr const char* kRules[kMetrics] = {
        "mean_i −Σ_j A(i,j) log₂ A(i,j)",
        "mean_i Σ_j A(i,j) |i − j|",
        "mean_i A(i,i−1)",
        "mean_i A(i,i+1)",
        "mean_i A(i,0)",
        "mean_i Σ_j A(i,j) over earlier equal words j",
        "mean_i A(i,j+1), j the earlier i in a repeated random sequence",
        "Σ A(i,j) A(j,i) / Σ A(i,j)²",
        "mean_i (√n − 1/‖A(i)‖) / (√n − 1), n > 1",
        "mean_i Σ_j A(i,j) ‖V(j) W_O‖"};
    const bool is_on_text =
        column == static_cast<Index>(HeadMetric::Induction) && call.in.size() <= 2;
    const auto undefined = [](const char* why) {
        return Explanation{.rule = why, .terms = {}, .sum = 0, .finish = {}};
    };
    if (std::isnan(result(row, static_cast<Index>(HeadMetric::Entropy))))
        return undefined("not defined: the pattern has NaN or infinity");
    if (call.settings.edges && std::isnan(result(row, column)))
        return undefined(column == static_cast<Index>(HeadMetric::Sparsity)
                             ? "not defined: no node reads several"
                             : "not defined for the edges of a graph");
    return {.rule = is_on_text ? "mean_i Σ_j A(i,j+1) over earlier equal words j" : kRules[column],
            .terms = {},
            .sum = 0,
            .finish = {{"over the whole pattern", result(row, column)}}};
}

/// Returns the first of the `from` rows or columns that fall on number k of `to`.
Index first_under(Index k, Index from, Index to) {
    return k * from / to;
}

void overview_forward(const Call& call, View result) {
    const ConstView& A = call[0];
    for (Index i = 0; i < call.rows; ++i) {
        const Index top = first_under(i, A.rows(), call.rows);
        const Index n_rows = first_under(i + 1, A.rows(), call.rows) - top;
        for (Index j = 0; j < call.columns; ++j) {
            const Index left = first_under(j, A.cols(), call.columns);
            const Index n_columns = first_under(j + 1, A.cols(), call.columns) - left;
            result(i, j) = A.block(top, left, n_rows, n_columns).maxCoeff<Eigen::PropagateNaN>();
        }
    }
}

Explanation overview_explain(const Call&, ConstView result, Index i, Index j) {
    return {.rule = "max A(i',j') over the cells that fall here",
            .terms = {},
            .sum = 0,
            .finish = {{"the largest", result(i, j)}}};
}

void collect_metric_forward(const Call& call, View result) {
    for (Index i = 0; i < call.rows; ++i)
        for (Index j = 0; j < call.columns; ++j)
            result(i, j) =
                call[static_cast<std::size_t>(i * call.columns + j)](0, call.settings.begin);
}

Explanation collect_metric_explain(const Call& call, ConstView result, Index i, Index j) {
    const Scalar value = result(i, j);
    const auto head = static_cast<std::size_t>(i * result.cols() + j);
    return {.rule = "the head's metric",
            .terms = {{{{head, 0, call.settings.begin, value}}, value}},
            .sum = value,
            .finish = {}};
}

// ---- across layers ----

/// Returns the column that stands for the row's own word.
Index own_column(const Call& call, Index row) {
    return (call.first_row + row) % call[0].cols();
}

void with_residual_forward(const Call& call, View result) {
    for (Index i = 0; i < call.rows; ++i) {
        result.row(i) = call[0].row(i);
        result(i, own_column(call, i)) += 1;
        result.row(i) /= result.row(i).sum();
    }
}

void with_residual_pull(const Call& call, ConstView Y, ConstView gradient, std::span<Matrix> into) {
    // Y = (A + I) / s, s = Σ (A + I):  ∂A += (∂Y − ∂Y · Y) / s
    for (Index i = 0; i < Y.rows(); ++i) {
        const Scalar s = call[0].row(i).sum() + 1;
        const Scalar shared = gradient.row(i).dot(Y.row(i));
        into[0].row(i).array() += (gradient.row(i).array() - shared) / s;
    }
}

Explanation with_residual_explain(const Call& call, ConstView Y, Index i, Index j) {
    const Scalar a = call[0](i, j), own = j == own_column(call, i) ? Scalar(1) : Scalar(0);
    return {.rule = "(A(i,j) + [i = j]) / Σ_j",
            .terms = {{{{0, i, j, a}}, a}, {{}, own}},
            .sum = a + own,
            .finish = {{"÷ the row's sum", Y(i, j)}}};
}

/// Returns 1 where t = Σ_i max_c Y(i,c) takes its values, else 0.
Matrix seed_of_largest(const Matrix& Y, const std::vector<Index>& words) {
    Matrix seed = Matrix::Zero(Y.rows(), Y.cols());
    for (Index i = 0; i < Y.rows(); ++i) {
        if (words[static_cast<std::size_t>(i)] < 0) continue;
        Index largest = 0;
        Y.row(i).maxCoeff(&largest);
        seed(i, largest) = 1;
    }
    return seed;
}

void gradient_attention_forward(const Call& call, View result) {
    const std::vector<TensorId>& inputs = (*call.trace)[call.id].inputs();
    const Gradients all =
        gradients(*call.trace, inputs[0], seed_of_largest(call[0], *call.settings.indices));
    result.setZero();
    for (std::size_t h = 1; h < inputs.size(); ++h)
        if (const auto& gradient = all[inputs[h]])
            result += call[h].cwiseProduct(*gradient).cwiseMax(Scalar(0));
    result /= static_cast<Scalar>(inputs.size() - 1);
}

Explanation gradient_attention_explain(const Call&, ConstView result, Index i, Index j) {
    return {.rule = "mean_h max(0, A_h(i,j) · ∂t/∂A_h(i,j))",
            .terms = {},
            .sum = 0,
            .finish = {{"by the gradient of t", result(i, j)}}};
}

}  // namespace

const Operation head_metrics{"head metrics",       {},      kWhole,
                             head_metrics_forward, nullptr, head_metrics_explain};
const Operation overview{"overview", {}, kWhole, overview_forward, nullptr, overview_explain};
const Operation collect_metric{"collect metric",       {},      kWhole,
                               collect_metric_forward, nullptr, collect_metric_explain};
const Operation with_residual{"with residual",    {},
                              row_inputs(0),      with_residual_forward,
                              with_residual_pull, with_residual_explain};
const Operation gradient_attention{"gradient attention",       {},      kWhole,
                                   gradient_attention_forward, nullptr, gradient_attention_explain};

std::span<const Operation* const> analysis_operations() {
    static const Operation* const table[] = {&head_metrics,  &overview,       &collect_metric,
                                             &with_residual, &attention_flow, &composition};
    return table;
}

namespace {

/// Words of one sentence before the first layer, between layers, and after the last one: node
/// l · n + i. An edge leads from a word down to one that it reads, as wide as it reads it.
class Layers {
  public:
    Layers(const Call& call, Index first_row)
        : n_(call[0].cols()), n_layers_(static_cast<Index>(call.in.size())) {
        for (const ConstView& layer : call.in) widths_.push_back(layer.middleRows(first_row, n_));
    }

    /// False if a capacity is NaN or infinite: then there is no greatest flow.
    bool are_finite() const {
        return std::all_of(widths_.begin(), widths_.end(),
                           [](const Matrix& layer) { return layer.allFinite(); });
    }

    /// Returns the greatest flow from word i of the top to word j of the bottom.   [Dinic 1970]
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
    // Neighbours of a node are numbered: first the n words below, then the n above.
    Index neighbour(Index node, Index k) const {
        return k < n_ ? node / n_ * n_ - n_ + k : node / n_ * n_ + k;
    }
    /// Returns the remaining capacity from a node to its neighbour k; null where there is none.
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

    /// Finds distances from the source over edges with room. False if the sink is not reached.
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

    // The least room; less of it is rounding.
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
