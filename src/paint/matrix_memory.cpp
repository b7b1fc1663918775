// What was looked up in every cell of a matrix, kept as long as the matrix is there.
#include "paint/matrix_memory.h"

#include <cmath>

#include "paint/color_scale.h"

namespace headlight {
namespace {

Scalar largest_finite(const Matrix& values, Index row) {
    Scalar largest = 0;
    for (Index j = 0; j < values.cols(); ++j) {
        const Scalar magnitude = std::abs(values(row, j));
        if (magnitude > largest && std::isfinite(magnitude)) largest = magnitude;
    }
    return largest;
}

Matrix in_parts_of_rows(const Matrix& values) {
    Matrix parts = values;
    for (Index i = 0; i < parts.rows(); ++i)
        if (const Scalar largest = largest_finite(values, i); largest > 0) parts.row(i) /= largest;
    return parts;
}

/// The first of `from` rows or columns that fall on number k of `to`.
Index first_under(Index k, Index from, Index to) {
    return k * from / to;
}

Matrix with_closed_cells(const Matrix& mask, Matrix values) {
    if (mask.rows() < values.rows() || mask.cols() < values.cols()) return values;
    for (Index i = 0; i < values.rows(); ++i) {
        const Index top = first_under(i, mask.rows(), values.rows());
        const Index bottom = first_under(i + 1, mask.rows(), values.rows());
        for (Index j = 0; j < values.cols(); ++j) {
            const Index left = first_under(j, mask.cols(), values.cols());
            const Index right = first_under(j + 1, mask.cols(), values.cols());
            if (mask.block(top, left, bottom - top, right - left).maxCoeff() == kMasked)
                values(i, j) = kMasked;
        }
    }
    return values;
}

}  // namespace

Scalar MatrixMemory::largest(const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (found.largest < 0) found.largest = largest_magnitude(*matrix);
    return found.largest;
}

Index MatrixMemory::count_nan(const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (found.n_nan < 0) found.n_nan = matrix->array().isNaN().cast<Index>().sum();
    return found.n_nan;
}

MatrixPtr MatrixMemory::by_row(const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (!found.by_row) found.by_row = std::make_shared<const Matrix>(in_parts_of_rows(*matrix));
    return found.by_row;
}

MatrixPtr MatrixMemory::closed_by(const MatrixPtr& mask, const MatrixPtr& matrix) {
    Entry& found = entry(matrix);
    if (found.mask.lock() != mask) {
        found.mask = mask;
        found.closed = mask->minCoeff() == kMasked
                           ? std::make_shared<const Matrix>(with_closed_cells(*mask, *matrix))
                           : nullptr;
    }
    return found.closed ? found.closed : matrix;
}

MatrixMemory::Entry& MatrixMemory::entry(const MatrixPtr& matrix) {
    const auto found = entries_.find(matrix.get());
    if (found != entries_.end() && !found->second.matrix.expired()) return found->second;
    std::erase_if(entries_, [](const auto& item) { return item.second.matrix.expired(); });
    return entries_[matrix.get()] = {.matrix = matrix};
}

}  // namespace headlight
