// Operation: the computation of one tensor from others: forward, gradient and explanation.
//
// Goals: mechanisms only name tensors; a new operation is one entry with three functions.
// Not goals: shapes of more than two dimensions, in-place results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/edges.h"
#include "core/matrix.h"
#include "core/scalar.h"

namespace headlight {

/// A cell of the operation's input number `input`.
struct CellRef {
    std::size_t input = 0;
    Index row = 0, column = 0;
    Scalar value = 0;
};

inline constexpr const char* kComplement = "1 − ";  // as a Term's of_sum: 1 less the sum
/// One summand: the product of its cells. With `of_sum`, such as "tanh": the first cell times that
/// function of the sum of the others.
struct Term {
    std::vector<CellRef> cells;
    Scalar value = 0;
    const char* of_sum = nullptr;
};

/// A step applied to the sum, in words, and its result.
struct Finish {
    std::string what;
    Scalar value = 0;
};

/// The arithmetic of one cell: result = finish(… finish(Σ terms)). The result is the cell's value,
/// to rounding.
struct Explanation {
    std::string rule;  // "Σ_d Q(i,d) · K(j,d) / √d_k"
    std::vector<Term> terms;
    Scalar sum = 0;
    std::vector<Finish> finish;

    Scalar result() const { return finish.empty() ? sum : finish.back().value; }
};

class Trace;

struct Operation;

/// A matrix that a leaf takes its numbers from, and the operation that makes the missing ones.
struct StoredMatrix {
    MatrixPtr values;
    const Operation* otherwise = nullptr;  // reads the same settings
    std::string origin;                    // "imported from model.safetensors"

    bool operator==(const StoredMatrix& other) const;
};

/// Constants of one use of an operation. Each operation says which fields it reads.
struct OperationSettings {
    Scalar scale = 1;       // factor, slope, temperature, limit or deviation
    Index begin = 0;        // first row of a slice
    Index count = 0;        // k, or the number of buckets, of grid columns, of keys in a window
    Index step = 1;         // dilation or stride
    Index group_rows = 0;   // rows of one sentence where several are stacked; 0: all rows are one
    double epsilon = 1e-5;  // of a norm
    std::uint64_t seed = 0;
    std::string key = {};                                        // names a stream of random numbers
    std::shared_ptr<const std::vector<std::string>> names = {};  // one key per row
    std::shared_ptr<const std::vector<Index>> indices = {};      // one per row or position
    std::shared_ptr<const std::vector<double>> angles = {};  // of rotary pairs, for one position
    MatrixPtr values = {};                                   // of a listed leaf
    std::shared_ptr<const Edges> edges = {};
    std::shared_ptr<const MatrixSource> source = {};  // the same object has the same matrices
    std::shared_ptr<const StoredMatrix> stored = {};

    bool operator==(const OperationSettings& other) const;
    /// Compares everything except names, indices and values.
    bool equals_but_lists(const OperationSettings& other) const;
};

/// The inputs that an operation reads row by row, one bit per input: row i of the result needs only
/// row i of these, and all of the others. So blocks of rows can be computed separately or in
/// parallel, and a tensor that is not kept never exists as a whole. kWhole: no blocks.
using RowInputs = std::uint32_t;
inline constexpr RowInputs kWhole = 0, kEveryInput = ~RowInputs(0);
constexpr RowInputs row_inputs(auto... inputs) {
    return ((RowInputs(1) << inputs) | ...);
}
/// True if the input is one of those; of the first 32 only.
constexpr bool has_input(RowInputs inputs, std::size_t input) {
    return input < 32 && (inputs >> input & 1) != 0;
}

/// One call of an operation, for the whole result or a block of its rows: inputs, constants, shape.
/// Inputs that are read `by_row` have only the rows of the block.
struct Call {
    std::span<const ConstView> in;
    const OperationSettings& settings;
    Index rows = 0, columns = 0;
    Index first_row = 0;               // the block's first row in the whole result
    const Trace* trace = nullptr;      // for analyses, which read more than their inputs
    std::size_t id = 0;                // the tensor of the trace that is being computed
    const Matrix* prepared = nullptr;  // the result of `prepare`; null if it was not called
    RowInputs unset = 0;               // inputs whose gradients have no values yet; see `pull`

    const ConstView& operator[](std::size_t input) const { return in[input]; }
};

/// The operation's name on the screen, and one sentence that describes it. {item} stands for a
/// token, a node or a word; {row} for a row, or a row of the sum that a norm may be applied to.
/// Null if each tensor has its own words.
struct OperationWords {
    const char *title = nullptr, *sentence = nullptr;
};

struct Overlap;
struct OverlapCall;

struct Operation {
    const char* name;
    OperationWords words;
    RowInputs by_row;

    bool reads_by_row(std::size_t input) const {
        return by_row == kEveryInput || has_input(by_row, input);
    }

    /// Fills `result`, which has the call's shape and unspecified values.
    void (*forward)(const Call&, View result);

    /// Adds to each matrix of `into` the gradient of that input, which has the same shape; sets
    /// those that are `unset`, whose values are unspecified. Always for the whole result. Null for
    /// leaves and for analyses: no gradient flows through them.
    void (*pull)(const Call&, ConstView result, ConstView gradient, std::span<Matrix> into);

    /// Explains one cell of the whole result.
    Explanation (*explain)(const Call&, ConstView result, Index row, Index column);

    /// Makes once the data that every block needs from the inputs that are not read by row; the
    /// others have a shape but no data. Null if there is nothing to make. It never changes the
    /// result.
    Matrix (*prepare)(const Call& whole) = nullptr;

    /// Computes several calls with the same shapes and no groups of rows, whose first input is the
    /// same; or calls for the whole results of the heads of one layer of a graph. Gives the same
    /// bits as `forward`. Null if this would not be faster.
    void (*forward_together)(std::span<const Call>, std::span<const View> results) = nullptr;

    /// The inputs whose gradients `pull` can set; those of the others are never unset.
    RowInputs sets = 0;

    /// True if the result is the first input.
    bool is_copy = false;
    /// True if the result is the first input whenever the second one is 0 everywhere.
    bool is_copy_beside_zeros = false;
    /// Returns true if the settings imply a result of 0 everywhere. Null: they never do.
    bool (*is_zero)(const OperationSettings&) = nullptr;

    /// Returns the first rows that do not depend on later ones; see core/evaluation/overlap.h.
    /// Null: overlap_by_row.
    Overlap (*overlap)(const OverlapCall&) = nullptr;
};

}  // namespace headlight
