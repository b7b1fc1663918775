// Difference: two matrices of one shape, cell by cell and in a few numbers.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// D = A − B. Cells masked (−∞) in both stay masked. Cells masked in only one are NaN, since no
/// number measures that difference.
struct Difference {
    MatrixPtr values;
    Index row = 0, column = 0;            // of the first finite cell with the largest |D|
    Scalar largest = 0;                   // D there; 0 if no cell is finite
    Scalar mean_magnitude = 0;            // mean of |D(i,j)| over the finite cells
    Index n_finite = 0, n_one_sided = 0;  // masked or NaN in one of the two only
};

/// Returns the difference, whose numbers are of the counted rows. Throws Error if the shapes
/// differ.
Difference difference(const Matrix& a, const Matrix& b, const CountedRows& counted = nullptr);

/// The distance between the rows of two patterns: means over the counted rows that read something
/// in A or B.
struct RowDistances {
    Scalar total_variation = 0;  // ½ Σ_j |A(i,j) − B(i,j)|, 0 to 1
    /// ½ Σ_j A log₂(A / M) + ½ Σ_j B log₂(B / M), M = ½ (A + B): 0 to 1 bit        [Lin 1991]
    Scalar jensen_shannon_bits = 0;
};

/// Returns the distances of A, B: n_query × n_key, or E × 1 with `edges`, where the edges of a node
/// are one row. Throws Error if the shapes differ.
RowDistances row_distances(const Matrix& a, const Matrix& b, const Edges* edges = nullptr,
                           const CountedRows& counted = nullptr);

/// A tensor and the trace that it is in.
struct TensorIn {
    const Trace& trace;
    const Tensor& tensor;
};

/// Says why B cannot be subtracted from A: "12 × 12 and 9 × 9 cannot be subtracted", because their
/// edges differ, because their vocabularies share no word, or because one has padding where the
/// other has words. Empty if it can.
std::string why_not_subtracted(const TensorIn& a, const TensorIn& b);

/// B's values in A's places. Along the words of a vocabulary the same word is the same place,
/// wherever it stands; along other axes places are counted.
struct MatchedValues {
    MatrixPtr values;  // in A's shape, NaN where B has no such word; B's own if all are in place
    std::vector<std::string> only_in_a, only_in_b;  // words without a partner

    bool has_all() const { return only_in_a.empty() && only_in_b.empty(); }
};
/// Matches two tensors, which must be subtractable.
MatchedValues match_by_name(const TensorIn& a, const TensorIn& b);
/// Writes "no partner in B: wide; in A: tired", or "" where all have one.
std::string partners_text(const MatchedValues& matched);

/// Returns A − B of matched values. Cells without a partner are NaN and are not counted as
/// one-sided, rows of padding not at all.
Difference difference(const TensorIn& a, const MatchedValues& b);

/// Returns the distances of the rows that are not padding. `b` is in A's shape.
RowDistances row_distances(const TensorIn& a, const Matrix& b);

/// Writes "tired / wide": an item of A, and the one in its place in B if that is another.
std::string name_of_both(const std::string& a, const std::string& b);
/// Returns A's plan, where the items along the axes of the tensor have names of both.
Plan named_by_both(const TensorIn& a, const TensorIn& b);

/// Returns D as a tensor in A's place, for pictures and exporters: A's path and axes, signed
/// values.
Tensor difference_tensor(const Tensor& a, MatrixPtr values);

}  // namespace headlight
