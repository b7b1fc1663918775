// Values computed from every cell of a matrix, kept as long as the matrix exists.
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

    /// Each row divided by its largest finite magnitude. All-zero rows and values that are not
    /// finite stay as they are.
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
