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

namespace headlight {

/// Constants of one use of an operation. Each operation says which fields it reads.
struct OperationSettings {
    Scalar scale = 1;  // factor, slope, limit or deviation
    Index begin = 0;   // first row of a slice
    std::uint64_t seed = 0;
    std::string key = {};                                        // names a stream of random numbers
    std::shared_ptr<const std::vector<std::string>> names = {};  // one key a row
    std::shared_ptr<const Edges> edges = {};

    bool operator==(const OperationSettings& other) const;
};

/// One use of an operation: its inputs, its constants, the shape of its result.
struct Call {
    std::span<const Matrix* const> in;
    const OperationSettings& settings;
    Index rows = 0, columns = 0;

    const Matrix& operator[](std::size_t input) const { return *in[input]; }
};

/// A cell of the operation's input number `input`.
struct CellRef {
    std::size_t input = 0;
    Index row = 0, column = 0;
    Scalar value = 0;
};

/// One summand: what its cells give.
struct Term {
    std::vector<CellRef> cells;
    Scalar value = 0;
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

struct Operation {
    const char* name;

    Matrix (*forward)(const Call&);

    /// Adds to each of `into` (one matrix an input, of its shape) the gradient that reaches it.
    /// Null for an operation without inputs.
    void (*pull)(const Call&, const Matrix& result, const Matrix& gradient, std::span<Matrix> into);

    Explanation (*explain)(const Call&, const Matrix& result, Index row, Index column);
};

}  // namespace headlight
