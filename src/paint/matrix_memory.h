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

    /// −∞ in the cells that the mask closes. A cell that stands for a block of the mask's cells is
    /// closed if all of them are. The matrix itself where the mask closes nothing.
    MatrixPtr closed_by(const MatrixPtr& mask, const MatrixPtr& matrix);

  private:
    struct Entry {
        std::weak_ptr<const Matrix> matrix;
        Scalar largest = -1;  // not looked up yet
        Index n_nan = -1;
        MatrixPtr by_row = nullptr;
        std::weak_ptr<const Matrix> mask = {};  // by which `closed` was made
        MatrixPtr closed = nullptr;             // null: it closes nothing
    };

    Entry& entry(const MatrixPtr& matrix);

    std::map<const Matrix*, Entry> entries_;
};

}  // namespace headlight
