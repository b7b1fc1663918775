// Operation: how one tensor is made from others, written once: forward, gradient, and words.
//
// Goals: a mechanism names tensors and nothing else; a new operation is one entry with three
// functions. Not goals: shapes of more than two dimensions, in-place results.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/edges.h"
#include "core/matrix.h"
#include "core/matrix_source.h"

namespace headlight {

class Trace;

struct Operation;

/// A matrix that a leaf takes its numbers from, and what makes those that it does not have.
struct StoredMatrix {
    MatrixPtr values;
    const Operation* otherwise = nullptr;  // reads the same settings
    std::string origin;                    // "imported from model.safetensors"

    bool operator==(const StoredMatrix& other) const;
};

/// Constants of one use of an operation. Each operation says which fields it reads.
struct OperationSettings {
    Scalar scale = 1;      // factor, slope, temperature, limit or deviation
    Index begin = 0;       // first row of a slice
    Index count = 0;       // how many: k, a window, buckets, the columns of a grid
    Index step = 1;        // how far apart: dilation, stride
    Index group_rows = 0;  // rows of one sentence where several are stacked; 0: all rows are one
    std::uint64_t seed = 0;
    std::string key = {};                                        // names a stream of random numbers
    std::shared_ptr<const std::vector<std::string>> names = {};  // one key a row
    std::shared_ptr<const std::vector<Index>> indices = {};      // one number a row or a place
    MatrixPtr values = {};                                       // of a listed leaf
    std::shared_ptr<const Edges> edges = {};
    std::shared_ptr<const MatrixSource> source = {};  // the same object: the same matrices
    std::shared_ptr<const StoredMatrix> stored = {};

    bool operator==(const OperationSettings& other) const;
};

/// One use of an operation, or of a block of rows of its result: its inputs, its constants, the
/// shape of the result. Of the inputs that are read `by_row` only the block's rows are given.
struct Call {
    std::span<const ConstView> in;
    const OperationSettings& settings;
    Index rows = 0, columns = 0;
    Index first_row = 0;               // of the block within the whole result
    const Trace* trace = nullptr;      // for analyses, which read more than their inputs …
    std::size_t id = 0;                // … the tensor in it that is being computed
    const Matrix* prepared = nullptr;  // what the operation has prepared for all blocks, if it was

    const ConstView& operator[](std::size_t input) const { return in[input]; }
};

/// A cell of the operation's input number `input`.
struct CellRef {
    std::size_t input = 0;
    Index row = 0, column = 0;
    Scalar value = 0;
};

inline constexpr const char* kComplement = "1 − ";  // as a Term's of_sum: 1 less the sum
/// One summand: the product of its cells, or with `of_sum` ("tanh") the first cell times that
/// function of the sum of the others.
struct Term {
    std::vector<CellRef> cells;
    Scalar value = 0;
    const char* of_sum = nullptr;
};

/// What was done to the sum, in words, and what came out.
struct Finish {
    std::string what;
    Scalar value = 0;
};

/// The arithmetic of one cell: result = finish(… finish(Σ terms)). The last finish, or the sum if
/// there is none, is the cell's value (to rounding).
struct Explanation {
    std::string rule;  // "Σ_d Q(i,d) · K(j,d) / √d_k"
    std::vector<Term> terms;
    Scalar sum = 0;
    std::vector<Finish> finish;

    Scalar result() const { return finish.empty() ? sum : finish.back().value; }
};

/// Which inputs an operation reads row by row, a bit an input: row i of the result needs only row i
/// of these, and everything of the others. So blocks of rows can be computed one after another, or
/// at once, and what nobody keeps never exists as a whole. kWhole: the result is made in one go.
using RowInputs = std::uint32_t;
inline constexpr RowInputs kWhole = 0, kEveryInput = ~RowInputs(0);
constexpr RowInputs row_inputs(auto... inputs) {
    return ((RowInputs(1) << inputs) | ...);
}

/// What an operation is called on the screen, and what it does, in one sentence: {item} stands for
/// a token, a node or a word, {row} for a row, or one of the sum that a norm may be of. Null where
/// each tensor has words of its own.
struct OperationWords {
    const char *title = nullptr, *sentence = nullptr;
};

struct Operation {
    const char* name;
    OperationWords words;
    RowInputs by_row;

    bool reads_by_row(std::size_t input) const {
        return by_row == kEveryInput || (input < 32 && (by_row >> input & 1) != 0);
    }

    /// Fills `result`, which has the call's shape and unspecified values.
    void (*forward)(const Call&, View result);

    /// Adds to each of `into` (one matrix an input, of its shape) the gradient that reaches it.
    /// Always of the whole result. Null for leaves, and for analyses, through which no gradient
    /// flows.
    void (*pull)(const Call&, ConstView result, ConstView gradient, std::span<Matrix> into);

    /// Of one cell of the whole result.
    Explanation (*explain)(const Call&, ConstView result, Index row, Index column);

    /// What every block needs of the inputs that are not read by row, made once; of the others only
    /// the shape is given. Null where there is nothing to make. `forward` gives the same without.
    Matrix (*prepare)(const Call& whole) = nullptr;

    /// Several uses that share their first input and their shapes, in rows of no group: fills each
    /// result as `forward` does, to the bit. Null where nothing is gained by it.
    void (*forward_together)(std::span<const Call>, std::span<const View> results) = nullptr;

    /// The result is the first input: nothing has to be computed.
    bool is_copy = false;
    /// So it is where the second input is 0 everywhere.
    bool is_copy_beside_zeros = false;
    /// True if the settings alone say that the result is 0 everywhere. Null: they never do.
    bool (*is_zero)(const OperationSettings&) = nullptr;
};

}  // namespace headlight
