// The arithmetic of one cell of a result, as terms that can be shown and checked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace headlight
