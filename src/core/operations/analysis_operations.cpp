#include "core/operations/analysis_operations.h"

#include <cmath>

#include "core/analyses/composition_operation.h"
#include "core/analyses/graph_head_metrics.h"
#include "core/analyses/head_metrics.h"
#include "core/gradient.h"
#include "core/trace.h"

namespace headlight::operations {
namespace {

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
            const Scalar sum = is_counted(r) ? A_.row(r).tail(n_ - skip_).sum() : Scalar(0);
            if (!std::isfinite(sum)) is_defined_ = false;
            if (sum > 0) part_[static_cast<std::size_t>(r)] = 1 / sum;
        }
        for (Index r = 0; r < A_.rows(); ++r)
            if (part(r) > 0) read_row(r);
    }

    /// On what followed earlier occurrences of the row's own word.
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
    bool is_counted(Index r) const { return word(r) >= 0 && r % n_ >= skip_; }
    Index word(Index r) const { return words_[static_cast<std::size_t>(r)]; }
    /// 1 / what the row sums to, 0 for a row that does not count.
    Scalar part(Index r) const { return part_[static_cast<std::size_t>(r)]; }

    /// How many words of a sentence there are to read: padding is none.
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
                if (j + 1 == i) continue;  // what followed is the row's own word
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
        sparsity_.add(root > 1 ? (root - 1 / std::sqrt(squares)) / (root - 1) : Scalar(0));
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
        "mean_i (√n − 1/‖A(i)‖) / (√n − 1)",
        "mean_i Σ_j A(i,j) ‖V(j) W_O‖"};
    const bool is_on_text =
        column == static_cast<Index>(HeadMetric::Induction) && call.in.size() <= 2;
    const auto undefined = [](const char* why) {
        return Explanation{.rule = why, .terms = {}, .sum = 0, .finish = {}};
    };
    if (std::isnan(result(row, static_cast<Index>(HeadMetric::Entropy))))
        return undefined("not defined: the pattern has NaN or infinity");
    if (call.settings.edges && std::isnan(result(row, column)))
        return undefined("not defined for the edges of a graph");
    return {.rule = is_on_text ? "mean_i Σ_j A(i,j+1) over earlier equal words j" : kRules[column],
            .terms = {},
            .sum = 0,
            .finish = {{"over the whole pattern", result(row, column)}}};
}

/// The first of the `from` rows or columns that fall on number k of `to`.
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

/// The column that stands for the row's own word.
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

/// Where t = Σ_i max_c Y(i,c) takes its values: 1 there, else 0.
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

}  // namespace headlight::operations
