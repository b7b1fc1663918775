#include "core/pattern_rows.h"

#include <algorithm>
#include <iterator>

namespace headlight {
namespace {

/// Returns the rows below n, in order.
std::vector<Index> existing(std::span<const Index> rows, Index n) {
    std::vector<Index> result;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
                 [&](Index row) { return row >= 0 && row < n; });
    return result;
}

void divide(std::vector<Scalar>& sums, std::size_t n_rows, RowsAs as) {
    if (as == RowsAs::Sum || n_rows == 0) return;
    for (Scalar& sum : sums) sum /= static_cast<Scalar>(n_rows);
}

}  // namespace

std::vector<Scalar> joined_rows(const Matrix& X, std::span<const Index> rows, RowsAs as) {
    std::vector<Scalar> sums(static_cast<std::size_t>(X.cols()), 0);
    const std::vector<Index> named = existing(rows, X.rows());
    for (const Index i : named)
        for (Index j = 0; j < X.cols(); ++j) sums[static_cast<std::size_t>(j)] += X(i, j);
    divide(sums, named.size(), as);
    return sums;
}

std::vector<Scalar> joined_rows(const Matrix& pattern, const Edges& edges,
                                std::span<const Index> rows, RowsAs as) {
    std::vector<Scalar> sums(static_cast<std::size_t>(edges.n_nodes), 0);
    const std::vector<Index> named = existing(rows, edges.n_nodes);
    for (const Index i : named)
        for (Index e = edges.offsets[static_cast<std::size_t>(i)];
             e < edges.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
            const Index j = edges.neighbour[static_cast<std::size_t>(e)];
            sums[static_cast<std::size_t>(j)] += pattern(e, 0);
        }
    divide(sums, named.size(), as);
    return sums;
}

Matrix without_keys(const Matrix& pattern, std::span<const Index> keys, LeftOutWeight weight) {
    Matrix left = pattern;
    for (const Index j : existing(keys, pattern.cols())) left.col(j).setZero();
    if (weight == LeftOutWeight::Missing) return left;
    for (Index i = 0; i < left.rows(); ++i) {
        const Scalar sum = left.row(i).sum();
        if (sum > 0) left.row(i) /= sum;
    }
    return left;
}

void join_pieces(ConstView rows, std::span<const PieceRun> queries, std::span<const PieceRun> keys,
                 View words) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const PieceRun query = queries[i];
        const auto pieces = rows.middleRows(query.first - queries.front().first, query.count);
        for (std::size_t j = 0; j < keys.size(); ++j)
            words(static_cast<Index>(i), static_cast<Index>(j)) =
                pieces.middleCols(keys[j].first, keys[j].count).sum() /
                static_cast<Scalar>(query.count);
    }
}

}  // namespace headlight
