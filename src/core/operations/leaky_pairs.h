// The score of a pair of nodes in GATv2: a hidden layer over the sum of their projections.
//     score = Σ_d a(d) · LeakyReLU(x(d)),  x = H_dst(i) + H_src(j) [+ F(e)]    [Brody 2022, eq. 7]
#pragma once

#include "core/operation.h"

namespace headlight {

using RowArray = Eigen::Array<Scalar, 1, Eigen::Dynamic>;
using RowView = Eigen::Map<const RowArray>;

inline RowView row_view(const ConstView& matrix, Index row) {
    return {matrix.data() + row * matrix.cols(), matrix.cols()};
}

/// A d × 1 matrix as a row.
inline RowView as_row(const ConstView& column) {
    return {column.data(), column.rows()};
}

/// v where v > 0, else slope · v, for every v of x. NaN stays NaN.
auto leaky(const auto& x, Scalar slope) {
    return x.max(Scalar(0)) + slope * x.min(Scalar(0));
}

inline Scalar leaky_score(const RowView& a, const auto& x, Scalar slope) {
    return (a * leaky(x, slope)).sum();
}

/// The way back: `to_a` gets what reaches a; x becomes what reaches x itself.
void pull_leaky_score(const RowView& a, Scalar slope, Scalar gradient, RowArray& x, Matrix& to_a);

/// The summands of leaky_score: a(d) times the LeakyReLU of the sum of d's cells in `rows`, which
/// are rows of the inputs they name.
struct InputRow {
    std::size_t input;
    Index row;
};
Explanation explain_leaky_score(const Call& call, std::span<const InputRow> rows, Scalar result);

}  // namespace headlight
