// The weights of some heads as lines between words, and a large pattern as a small matrix.
#include "figure/read_lines.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "figure/color.h"

namespace headlight {
namespace {

float line_weight(Scalar weight) {
    const auto w = static_cast<float>(weight);
    return std::isfinite(w) && w > 0 ? std::min(w, 1.0f) : 0;
}

/// Calls visit(head, reader, read, weight) for every line.
template <class Visit>
void for_each_line(std::span<const LinesOfHead> heads, const Visit& visit) {
    for (std::size_t h = 0; h < heads.size(); ++h) {
        if (!heads[h].pattern) continue;
        const Matrix& A = *heads[h].pattern;
        for (Index i = 0; i < A.rows(); ++i)
            for (Index j = 0; j < A.cols(); ++j)
                if (const float weight = line_weight(A(i, j)); weight > 0) visit(h, i, j, weight);
    }
}

/// Lets the strongest lines through, as many as it was made for.
class Gate {
  public:
    /// Finds the weight of the last of `n_lines` of `n_all` by its bits, which are ordered as
    /// positive numbers are: the upper half first, then the lower half.
    Gate(std::span<const LinesOfHead> heads, Index n_lines, Index n_all) : equal_left_(n_lines) {
        if (n_lines == n_all) return;  // every weight is above 0
        if (n_lines == 0) {
            weakest_ = std::numeric_limits<float>::infinity();
            return;
        }
        const std::uint32_t upper = last_digit(heads, 0, 0);
        const std::uint32_t lower = last_digit(heads, 16, upper);
        weakest_ = std::bit_cast<float>(upper << 16 | lower);
    }

    bool lets_through(float weight) {
        if (weight != weakest_) return weight > weakest_;
        return equal_left_-- > 0;
    }

  private:
    /// Counts the digits of the lines whose first `n_known` bits are `known`, and takes off
    /// `equal_left_` those that come before the last line.
    std::uint32_t last_digit(std::span<const LinesOfHead> heads, int n_known, std::uint32_t known) {
        std::vector<Index> counts(1u << 16, 0);
        for_each_line(heads, [&](std::size_t, Index, Index, float weight) {
            const auto bits = std::bit_cast<std::uint32_t>(weight);
            if (n_known == 0) ++counts[bits >> 16];
            if (n_known > 0 && bits >> 16 == known) ++counts[bits & 0xffff];
        });
        for (std::size_t digit = counts.size(); digit-- > 0; equal_left_ -= counts[digit])
            if (counts[digit] >= equal_left_) return static_cast<std::uint32_t>(digit);
        return 0;
    }

    Index equal_left_;  // lines as weak as the weakest that still fit
    float weakest_ = 0;
};

std::vector<bool> make_flags(const std::vector<Index>& items) {
    std::vector<bool> flags;
    for (const Index item : items) {
        const auto at = static_cast<std::size_t>(item);
        if (at >= flags.size()) flags.resize(at + 1);
        flags[at] = true;
    }
    return flags;
}

bool has(const std::vector<bool>& flags, Index item) {
    return static_cast<std::size_t>(item) < flags.size() && flags[static_cast<std::size_t>(item)];
}

}  // namespace

ReadLines choose_lines(std::span<const LinesOfHead> heads, const LineChoice& choice) {
    ReadLines result;
    result.has_picks = !choice.picked.is_empty();
    for_each_line(heads, [&](std::size_t, Index, Index, float) { ++result.n_all; });
    const double share = std::clamp(choice.strongest_percent, 0.0f, 100.0f) / 100.0;
    const auto n = static_cast<Index>(std::ceil(share * static_cast<double>(result.n_all)));
    if (n == 0) return result;
    Gate all(heads, n, result.n_all);
    Gate background(heads, std::min(n, choice.most), result.n_all);
    const auto readers = make_flags(choice.picked.readers), read = make_flags(choice.picked.read);
    for_each_line(heads, [&](std::size_t h, Index i, Index j, float weight) {
        const bool is_strong = all.lets_through(weight);
        const bool is_among_most = background.lets_through(weight);
        const LineRole role = has(readers, i) ? LineRole::Outgoing
                              : has(read, j)  ? LineRole::Incoming
                                              : LineRole::Background;
        if (is_strong && (is_among_most || role != LineRole::Background))
            result.lines.push_back({i, j, weight, h, role});
    });
    std::stable_sort(result.lines.begin(), result.lines.end(),
                     [](const ReadLine& a, const ReadLine& b) {
                         return std::pair(a.role, a.weight) < std::pair(b.role, b.weight);
                     });
    for (const LineRole role : {LineRole::Incoming, LineRole::Outgoing}) {
        const auto begin = std::ranges::lower_bound(result.lines, role, {}, &ReadLine::role);
        const auto end = std::ranges::upper_bound(result.lines, role, {}, &ReadLine::role);
        if (end - begin > choice.most_picked) result.lines.erase(begin, end - choice.most_picked);
    }
    return result;
}

LineStyle line_style(const ReadLine& line, Color head, const ReadLines& among) {
    const float w = std::clamp((line.weight - among.low) / (among.high - among.low), 0.0f, 1.0f);
    switch (line.role) {
        case LineRole::Outgoing:
            return {faded(head, 0.07 + 0.88 * w), 0.6f + 5.4f * w};
        case LineRole::Incoming:
            return {faded(head, 0.05 + 0.8 * w), 0.5f + 2.7f * w};
        case LineRole::Background:
            break;
    }
    if (among.has_picks) return {faded(head, 0.03 + 0.22 * w), 0.5f + 1.5f * w};
    return {faded(head, 0.06 + 0.84 * w), 0.5f + 3.0f * w};
}

Matrix pooled_pattern(std::span<const WeightedEdge> edges, Index n, Index max_side) {
    const Index side = std::min(n, max_side);
    Matrix pooled = Matrix::Zero(side, side);
    for (const WeightedEdge& edge : edges) {
        if (edge.i < 0 || edge.i >= n || edge.j < 0 || edge.j >= n)
            throw Error("thumbnail", "edge {} → {} leaves a graph of {} nodes", edge.j, edge.i, n);
        Scalar& cell = pooled(edge.i * side / n, edge.j * side / n);
        cell = std::max(cell, edge.alpha);
    }
    return pooled;
}

}  // namespace headlight
