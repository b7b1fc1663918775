// Arithmetic on the rows of a pattern: several rows as one, rows without some of their keys, the
// pieces of words as words.
#pragma once

#include <span>
#include <vector>

#include "core/edges.h"
#include "core/matrix.h"

namespace headlight {

/// The way in which several rows become one.
enum class RowsAs { Sum, Mean };

/// Returns r(j) = Σᵢ X(i,j) over the given rows, or that sum divided by their number. X: n × m; the
/// result has m numbers, zeros if no row is given. Rows outside X are ignored.
std::vector<Scalar> joined_rows(const Matrix& X, std::span<const Index> rows, RowsAs as);

/// Joins rows of a pattern with one row per edge (E × 1): r(j) for each of the n nodes j, 0 if none
/// of the rows has an edge to j.
std::vector<Scalar> joined_rows(const Matrix& pattern, const Edges& edges,
                                std::span<const Index> rows, RowsAs as);

/// The treatment of the weight of keys that are left out.
enum class LeftOutWeight {
    Missing,    // the rows sum to less than 1
    SharedOut,  // A(i,j) / Σⱼ' A(i,j') over the keys that stay: the rows sum to 1 again
};

/// Returns the pattern with 0 in the columns of `keys`. A row that read only those becomes all
/// zeros. Keys outside the pattern are ignored.
Matrix without_keys(const Matrix& pattern, std::span<const Index> keys, LeftOutWeight weight);

/// Tokens that are one word: `count` of them from `first` on.
struct PieceRun {
    Index first = 0, count = 1;

    bool operator==(const PieceRun&) const = default;
};

/// Computes a pattern between words: the weight of one word on another is the sum over the other's
/// pieces, its keys, and the mean over its own pieces, its queries; rows that sum to 1 still do.
///                                                          [Clark et al. 2019, section 4.1]
/// `rows`: those of the pieces of `queries`, from the first of them on; all keys are in its
/// columns. `words`: one row a query, one column a key.
void join_pieces(ConstView rows, std::span<const PieceRun> queries, std::span<const PieceRun> keys,
                 View words);

}  // namespace headlight
