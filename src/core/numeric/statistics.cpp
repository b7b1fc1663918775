#include "core/numeric/statistics.h"

#include <algorithm>
#include <cmath>

namespace headlight {

Summary summarise(const Matrix& values) {
    Summary summary;
    double sum = 0, squares = 0;
    Index n = 0;
    for (Index i = 0; i < values.size(); ++i) {
        const Scalar x = values.data()[i];
        if (std::isnan(x)) ++summary.n_nan;
        if (x == kMasked) ++summary.n_masked;
        if (!std::isfinite(x)) continue;
        summary.low = n == 0 ? x : std::min(summary.low, x);
        summary.high = n == 0 ? x : std::max(summary.high, x);
        sum += x;
        squares += static_cast<double>(x) * x;
        ++n;
    }
    if (n == 0) return summary;
    const double mean = sum / static_cast<double>(n);
    summary.mean = static_cast<Scalar>(mean);
    summary.deviation = static_cast<Scalar>(
        std::sqrt(std::max(0.0, squares / static_cast<double>(n) - mean * mean)));
    return summary;
}

Scalar row_entropy_bits(const Matrix& pattern, Index row) {
    double bits = 0;
    for (Index j = 0; j < pattern.cols(); ++j) {
        const double p = pattern(row, j);
        if (p > 0) bits -= p * std::log2(p);
    }
    return static_cast<Scalar>(bits);
}

Scalar mean_entropy_bits(const Matrix& pattern) {
    double sum = 0;
    Index n = 0;
    for (Index i = 0; i < pattern.rows(); ++i) {
        if ((pattern.row(i).array() == 0).all()) continue;
        sum += row_entropy_bits(pattern, i);
        ++n;
    }
    return n == 0 ? Scalar(0) : static_cast<Scalar>(sum / static_cast<double>(n));
}

Scalar mean_entropy_bits(const Matrix& pattern, const Edges& edges) {
    double sum = 0;
    Index n = 0;
    for (std::size_t i = 0; i + 1 < edges.offsets.size(); ++i) {
        const Index count = edges.offsets[i + 1] - edges.offsets[i];
        if (count == 0) continue;
        sum += row_entropy_bits(pattern.middleRows(edges.offsets[i], count).transpose(), 0);
        ++n;
    }
    return n == 0 ? Scalar(0) : static_cast<Scalar>(sum / static_cast<double>(n));
}

}  // namespace headlight
