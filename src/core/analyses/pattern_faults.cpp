#include "core/analyses/pattern_faults.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/numeric/short_number.h"

namespace headlight {
namespace {

void append(std::string& text, const std::string& part) {
    text += (text.empty() ? "" : ", ") + part;
}

std::string counted(Index n, const char* what) {
    return fmt::format("{} {} {}", n, n == 1 ? "cell is" : "cells are", what);
}

std::string like_that(Index n, const char* what) {
    return n <= 1 ? "" : fmt::format(" ({} {} are like that)", n, what);
}

}  // namespace

std::string pattern_faults(const Matrix& pattern, Scalar tolerance) {
    Index n_nan = 0, n_infinite = 0, n_negative = 0;
    Scalar least = std::numeric_limits<Scalar>::max(), most = -least;
    for (Index i = 0; i < pattern.rows(); ++i) {
        Scalar sum = 0;
        for (Index j = 0; j < pattern.cols(); ++j) {
            const Scalar a = pattern(i, j);
            if (std::isnan(a)) ++n_nan;
            if (std::isinf(a)) ++n_infinite;
            if (a < -tolerance) ++n_negative;
            if (std::isfinite(a)) sum += a;
        }
        const bool is_masked = sum == 0 && pattern.row(i).isZero(0);
        if (!is_masked) least = std::min(least, sum), most = std::max(most, sum);
    }
    std::string text;
    if (n_nan > 0) append(text, counted(n_nan, "NaN"));
    if (n_infinite > 0) append(text, counted(n_infinite, "infinite"));
    if (n_negative > 0) append(text, counted(n_negative, "negative"));
    if (least <= most && (least < 1 - tolerance || most > 1 + tolerance)) {
        const std::string from = short_number(least), to = short_number(most);
        append(text, fmt::format("rows sum to {} instead of 1",
                                 from == to ? from : fmt::format("{} … {}", from, to)));
    }
    return text;
}

std::string edge_faults(const Matrix& pattern, const Edges& edges,
                        const std::vector<std::string>& names) {
    const auto name = [&](Index node) { return names[static_cast<std::size_t>(node)]; };
    std::string outside, unequal;
    Index n_outside = 0, n_unequal = 0;
    for (Index i = 0; i < edges.n_nodes; ++i) {
        Scalar sum = 0;
        bool is_zero = true;
        const auto at = static_cast<std::size_t>(i);
        for (Index e = edges.offsets[at]; e < edges.offsets[at + 1]; ++e) {
            const Scalar alpha = pattern(e, 0);
            sum += alpha;
            is_zero = is_zero && alpha == 0;
            if (alpha >= -kSumTolerance && alpha <= 1 + kSumTolerance) continue;
            if (n_outside++ == 0)
                outside = fmt::format("α of {} → {} is {}, not within 0 … 1",
                                      name(edges.neighbour[static_cast<std::size_t>(e)]), name(i),
                                      short_number(alpha));
        }
        if (is_zero || std::abs(sum - 1) <= kSumTolerance) continue;
        if (n_unequal++ == 0)
            unequal = fmt::format("the edges that lead to {} sum to {} instead of 1", name(i),
                                  short_number(sum));
    }
    std::string text;
    if (n_outside > 0) append(text, outside + like_that(n_outside, "edges"));
    if (n_unequal > 0) append(text, unequal + like_that(n_unequal, "nodes"));
    return text;
}

}  // namespace headlight
