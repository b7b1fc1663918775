#include "core/operations/normalizer_operations.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "core/error.h"
#include "core/numeric/softmax.h"
#include "core/operations/operations.h"

namespace headlight {

const Operation& normalizer_operation(Normalizer normalizer) {
    switch (normalizer) {
        case Normalizer::Softmax:
            return operations::softmax_rows;
        case Normalizer::Hard:
            return operations::hard_rows;
        case Normalizer::TopK:
            return operations::top_k_rows;
        case Normalizer::Sparsemax:
            return operations::sparsemax_rows;
        case Normalizer::Entmax:
            return operations::entmax_rows;
    }
    throw Error("attention", "this normalizer is unknown");
}

std::string normalized_text(Normalizer normalizer, int top_k, const std::string& scores) {
    switch (normalizer) {
        case Normalizer::Softmax:
            return fmt::format("softmax({})", scores);
        case Normalizer::Hard:
            return "1 at the row's largest " + scores;
        case Normalizer::TopK:
            return fmt::format("softmax of the row's {} largest", top_k);
        case Normalizer::Sparsemax:
            return fmt::format("sparsemax({})", scores);
        case Normalizer::Entmax:
            return "entmax_{1.5}(" + scores + ")";
    }
    return {};
}

}  // namespace headlight

namespace headlight::operations {

namespace {

using ScoreRow = std::span<const Scalar>;

ScoreRow score_row(const ConstView& A, Index i) {
    return {A.data() + i * A.cols(), static_cast<std::size_t>(A.cols())};
}

/// Returns −∞ if every score is masked, NaN if one of them is NaN or +∞.
Scalar largest(ScoreRow s) {
    if (s.empty()) return kMasked;
    const Eigen::Map<const Eigen::RowVector<Scalar, Eigen::Dynamic>> row(s.data(), std::ssize(s));
    const Scalar m = row.maxCoeff<Eigen::PropagateNaN>();
    return m > 0 && std::isinf(m) ? std::numeric_limits<Scalar>::quiet_NaN() : m;
}

/// Fills the rows that have a largest score with `normalize(scores, largest, pattern)`, the others
/// as softmax does. The pattern is 0 before.
void normalize_rows(const Call& call, View A, auto normalize) {
    A.setZero();
    for (Index i = 0; i < call.rows; ++i) {
        const ScoreRow s = score_row(call[0], i);
        const Scalar m = largest(s);
        if (std::isnan(m)) A.row(i).setConstant(m);
        if (std::isfinite(m)) normalize(s, m, std::span<Scalar>{A.row(i).data(), s.size()});
    }
}

/// Ends an explanation where there is no largest score; false where there is one.
bool finish_without_scores(Explanation& e, ScoreRow s, Scalar result) {
    const Scalar m = largest(s);
    if (std::isfinite(m)) return false;
    e.finish = {{m == kMasked ? "every cell of the row is masked" : "a score is NaN", result}};
    return true;
}

// ---- hard ----

/// Returns the first score that equals the largest one.
Index find_first(ScoreRow s, Scalar m) {
    return std::find(s.begin(), s.end(), m) - s.begin();
}

void hard_forward(const Call& call, View A) {
    normalize_rows(call, A, [](ScoreRow s, Scalar m, std::span<Scalar> a) {
        a[static_cast<std::size_t>(find_first(s, m))] = 1;
    });
}

void hard_pull(const Call&, ConstView, ConstView, std::span<Matrix>) {
    // A small change of a score changes nothing: the slope is 0.
}

Explanation hard_explain(const Call& call, ConstView A, Index i, Index j) {
    Explanation e{
        .rule = "1 where S(i,j) = max_j S(i,j), else 0", .terms = {}, .sum = 0, .finish = {}};
    const ScoreRow s = score_row(call[0], i);
    if (finish_without_scores(e, s, A(i, j))) return e;
    const Index first = find_first(s, largest(s));
    e.sum = call[0](i, first);
    e.terms = {{{{0, i, first, e.sum}}, e.sum}};
    e.finish = {{j == first ? "the largest score of the row" : "the largest score is another key's",
                 A(i, j)}};
    return e;
}

// ---- top k ----

/// Returns the k largest scores, in order; earlier ones win ties. Masked ones are never among them.
std::vector<Index> largest_keys(ScoreRow s, Index k) {
    std::vector<Scalar> best(static_cast<std::size_t>(std::clamp<Index>(k, 1, std::ssize(s))));
    std::partial_sort_copy(s.begin(), s.end(), best.begin(), best.end(), std::greater{});
    // All scores above the k-th largest are kept; of those equal to it, as many as there is room
    // for.
    const Scalar last = best.back();
    Index room = std::count(best.begin(), best.end(), last);
    std::vector<Index> kept;
    for (Index j = 0; j < std::ssize(s); ++j) {
        const Scalar x = s[static_cast<std::size_t>(j)];
        if (x < last || x == kMasked) continue;
        if (x > last || room > 0) kept.push_back(j);
        if (x == last) --room;
    }
    return kept;
}

void top_k_forward(const Call& call, View A) {
    std::vector<Scalar> scores, pattern;
    normalize_rows(call, A, [&](ScoreRow s, Scalar, std::span<Scalar> a) {
        const std::vector<Index> kept = largest_keys(s, call.settings.count);
        scores.clear();
        for (const Index j : kept) scores.push_back(s[static_cast<std::size_t>(j)]);
        pattern.resize(kept.size());
        softmax(scores, pattern);
        for (std::size_t at = 0; at < kept.size(); ++at)
            a[static_cast<std::size_t>(kept[at])] = pattern[at];
    });
}

void top_k_pull(const Call& call, ConstView A, ConstView gradient, std::span<Matrix> into) {
    // This is the softmax's gradient, in which a key that was left out has A = 0.
    softmax_rows.pull(call, A, gradient, into);
}

Explanation top_k_explain(const Call& call, ConstView A, Index i, Index j) {
    Explanation e{.rule = "softmax over the largest", .terms = {}, .sum = 0, .finish = {}};
    const ScoreRow s = score_row(call[0], i);
    if (finish_without_scores(e, s, A(i, j))) return e;
    const std::vector<Index> kept = largest_keys(s, call.settings.count);
    const auto at = std::find(kept.begin(), kept.end(), j);
    std::vector<CellRef> scores;
    for (const Index k : kept) scores.push_back({0, i, k, call[0](i, k)});
    const auto place = at == kept.end() ? 0 : static_cast<std::size_t>(at - kept.begin());
    e = explain_softmax(std::move(scores), place, A(i, j));
    const std::string which = fmt::format("{} largest", kept.size());
    e.rule += " over the " + which;
    if (at == kept.end()) e.finish = {{"not one of the " + which, 0}};
    return e;
}

// ---- sparsemax and entmax ----

/// Entmax with α = 1 + 1 / power: A(j) = max(z(j) − τ, 0)^power, z(j) = S(j) / power.
enum class Power { One, Two };

double scaled_score(Scalar s, Scalar m, Power power) {
    // The largest score is subtracted first, so that large scores lose nothing.
    const double z = static_cast<double>(s) - static_cast<double>(m);
    return power == Power::One ? z : z / 2;
}

/// Returns τ with Σ_j max(z(j) − τ, 0)^power = 1. The largest z is 0; `z` is left with those above
/// τ.
///
/// The sum is convex in τ and at least 1 at τ = −1. So Newton's method from there never steps past
/// the solution, and a z that is below τ once never counts again.
double threshold(std::vector<double>& z, Power power) {
    double tau = -1;
    for (;;) {
        std::erase_if(z, [&](double x) { return x <= tau; });
        double sum = 0, squares = 0;
        for (const double x : z) {
            sum += x - tau;
            squares += (x - tau) * (x - tau);
        }
        const double step = power == Power::One ? (sum - 1) / static_cast<double>(z.size())
                                                : (squares - 1) / (2 * sum);
        if (!(tau + step > tau)) return tau;
        tau += step;
    }
}

template <Power power>
void sparse_forward(const Call& call, View A) {
    std::vector<double> z;
    normalize_rows(call, A, [&](ScoreRow s, Scalar m, std::span<Scalar> a) {
        z.clear();
        for (const Scalar x : s)
            if (scaled_score(x, m, power) > -1) z.push_back(scaled_score(x, m, power));
        const double tau = threshold(z, power);
        for (std::size_t j = 0; j < s.size(); ++j) {
            const double above = std::max(scaled_score(s[j], m, power) - tau, 0.0);
            a[j] = static_cast<Scalar>(power == Power::One ? above : above * above);
        }
    });
}

void sparsemax_pull(const Call&, ConstView A, ConstView gradient, std::span<Matrix> into) {
    // On the support A(j) = S(j) − τ, τ = (Σ S − 1) / |support|:  ∂S(j) += ∂A(j) − mean of ∂A
    for (Index i = 0; i < A.rows(); ++i) {
        const auto is_read = (A.row(i).array() != 0).template cast<Scalar>().eval();
        const Scalar size = is_read.sum();
        if (size == 0) continue;
        const Scalar mean = (gradient.row(i).array() * is_read).sum() / size;
        into[0].row(i).array() += is_read * (gradient.row(i).array() - mean);
    }
}

void entmax_pull(const Call&, ConstView A, ConstView gradient, std::span<Matrix> into) {
    // A(j) = (S(j)/2 − τ)², with q = √A:  ∂S(j) += q(j) (∂A(j) − Σ q ∂A / Σ q)
    for (Index i = 0; i < A.rows(); ++i) {
        const auto q = A.row(i).array().sqrt().eval();
        const Scalar size = q.sum();
        if (size == 0) continue;
        const Scalar mean = (gradient.row(i).array() * q).sum() / size;
        into[0].row(i).array() += q * (gradient.row(i).array() - mean);
    }
}

/// Explains the support of the row, from which its threshold is made.
Explanation explain_support(const Call& call, const ConstView& A, Index i, Scalar factor) {
    Explanation e;
    for (Index k = 0; k < call.columns; ++k)
        if (A(i, k) > 0) {
            const Scalar s = call[0](i, k);
            e.terms.push_back({{{0, i, k, s}}, factor * s});
            e.sum += factor * s;
        }
    return e;
}

Explanation sparsemax_explain(const Call& call, ConstView A, Index i, Index j) {
    Explanation e = explain_support(call, A, i, 1);
    e.rule = "max(S(i,j) − τ, 0), τ = (Σ_{A > 0} S(i,j) − 1) / n_{A > 0}";
    if (finish_without_scores(e, score_row(call[0], i), A(i, j))) return e;
    const auto size = static_cast<Scalar>(e.terms.size());
    e.finish = {{fmt::format("− 1, ÷ {} keys read: τ", e.terms.size()), (e.sum - 1) / size},
                {"max(S − τ, 0)", A(i, j)}};
    return e;
}

Explanation entmax_explain(const Call& call, ConstView A, Index i, Index j) {
    Explanation e = explain_support(call, A, i, Scalar(0.5));
    e.rule = "max(S(i,j)/2 − τ, 0)², Σ_j A(i,j) = 1";
    if (finish_without_scores(e, score_row(call[0], i), A(i, j))) return e;
    const auto size = static_cast<Scalar>(e.terms.size());
    const Scalar mean = e.sum / size;
    Scalar squares = 0;
    for (const Term& term : e.terms) squares += (term.value - mean) * (term.value - mean);
    const Scalar tau = mean - std::sqrt(std::max(1 - squares, Scalar(0)) / size);
    const std::string n = std::to_string(e.terms.size());
    e.finish = {{fmt::format("÷ {} keys read: mean", n), mean},
                {fmt::format("− √((1 − Σ (S/2 − mean)²) / {}): τ", n), tau},
                {"max(S/2 − τ, 0)²", A(i, j)}};
    return e;
}

}  // namespace

const Operation hard_rows{
    "hard rows",   {"Attention pattern", "Each row reads only the first key with the best score."},
    row_inputs(0), hard_forward,
    hard_pull,     hard_explain};
const Operation top_k_rows{
    "top-k rows",  {"Attention pattern", "Softmax of each row's best keys; the rest get 0."},
    row_inputs(0), top_k_forward,
    top_k_pull,    top_k_explain};
const Operation sparsemax_rows{
    "sparsemax rows", {"Attention pattern", "Each row distributes 1; low scores get exactly 0."},
    row_inputs(0),    sparse_forward<Power::One>,
    sparsemax_pull,   sparsemax_explain};
const Operation entmax_rows{
    "entmax rows", {"Attention pattern", "Each row distributes 1; low scores get exactly 0."},
    row_inputs(0), sparse_forward<Power::Two>,
    entmax_pull,   entmax_explain};

std::span<const Operation* const> normalizer_operations() {
    static const Operation* const table[] = {&hard_rows, &top_k_rows, &sparsemax_rows,
                                             &entmax_rows};
    return table;
}

}  // namespace headlight::operations
