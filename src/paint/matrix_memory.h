// What was looked up in every cell of a matrix, kept as long as the matrix is there.
#pragma once

#include <map>

#include "core/matrix.h"

namespace headlight {

class MatrixMemory {
  public:
    /// largest_magnitude() of the matrix.
    Scalar largest(const MatrixPtr& matrix);

    /// How many cells are NaN.
    Index count_nan(const MatrixPtr& matrix);

    /// Each row in parts of its largest finite magnitude; a row of nothing but zeros stays so, what
    /// is not finite stays what it is.
    MatrixPtr by_row(const MatrixPtr& matrix);

  private:
    struct Entry {
        std::weak_ptr<const Matrix> matrix;
        Scalar largest = -1;  // not looked up yet
        Index n_nan = -1;
        MatrixPtr by_row;
    };

    Entry& entry(const MatrixPtr& matrix);

    std::map<const Matrix*, Entry> entries_;
};

}  // namespace headlight
