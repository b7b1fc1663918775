// Overlap: the first rows that a tensor shares with the same tensor of an earlier study.
//
// Goals: after a word is typed or exchanged, a causal network computes only the rows from that word
// on. Nothing in it is special to attention: an operation says which of its first rows depend only
// on first rows; the results of an operation that cannot say so are computed anew.
// Not goals: rows in the middle.
#pragma once

#include "core/operation.h"

namespace headlight {

/// The content of the cells (i, j) with j > i, in every study with the same settings.
enum class Above { Unknown, Masked, Zero };

/// The first `rows` rows have the same bits in the first `columns` columns.
struct Overlap {
    Index rows = 0, columns = 0;
    Above above = Above::Unknown;
};

/// One tensor in two studies: now and earlier.
struct OverlapInput {
    Overlap overlap;
    Index rows = 0, earlier_rows = 0;
    Index columns = 0, earlier_columns = 0;
    bool is_same = false;  // all of it

    /// Returns how many first rows are the same in every column. Columns of such a row that only
    /// one study has are above the diagonal.
    Index same_rows() const;
};

/// Two uses of one operation. The settings differ at most in lists with an entry for each row.
struct OverlapCall {
    std::span<const OverlapInput> in;
    const OperationSettings &settings, &earlier_settings;
    Index rows = 0, earlier_rows = 0;  // of the result
    Index columns = 0, earlier_columns = 0;
    RowInputs by_row = kWhole;
};

/// Row i depends on row i of the inputs that are read by row, and on all of the others.
Overlap overlap_by_row(const OverlapCall& call);
/// A leaf whose row i depends on nothing but entry i of the lists in its settings.
Overlap overlap_of_leaf(const OverlapCall& call);
/// Cell (i, j) depends on row i of the first input, row j of the second, and all of the others.
Overlap overlap_of_pairs(const OverlapCall& call);
/// The mask: a causal one is −∞ above the diagonal.
Overlap overlap_of_mask(const OverlapCall& call);
/// A sum of two, cell by cell.
Overlap overlap_of_sum(const OverlapCall& call);
/// Softmax: where scores are masked above the diagonal, row i depends on the columns up to i.
Overlap overlap_of_softmax(const OverlapCall& call);
/// A B: where A is 0 above the diagonal, row i depends on the rows of B up to i.
Overlap overlap_of_mix(const OverlapCall& call);
/// The rows of the input that `indices` names.
Overlap overlap_of_gathered(const OverlapCall& call);

/// Rows of a causal network depend on no later ones as long as numbers are so small that no score
/// becomes ∞, and no 0 is multiplied by ∞.
inline constexpr Scalar kLargestInOverlap = Scalar(1e15);

}  // namespace headlight
