#include "io/heatmap_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paint/cell_grid.h"

namespace headlight {
namespace {

/// Which of the cells that share a pixel is shown: NaN before all numbers, masked cells last.
Scalar rank(Scalar value) {
    if (std::isnan(value)) return std::numeric_limits<Scalar>::infinity();
    return value == kMasked ? Scalar(-1) : std::abs(value);
}

struct CellBlock {
    Index first_row, last_row, first_column, last_column;  // inclusive
};

Scalar strongest(const Matrix& values, const CellBlock& block) {
    Scalar best = values(block.first_row, block.first_column);
    for (Index i = block.first_row; i <= block.last_row; ++i)
        for (Index j = block.first_column; j <= block.last_column; ++j)
            if (rank(values(i, j)) > rank(best)) best = values(i, j);
    return best;
}

/// Of the numbers; NaN if one is not a number, masked if all are.
Scalar mean(const Matrix& values, const CellBlock& block) {
    double sum = 0;
    Index count = 0;
    for (Index i = block.first_row; i <= block.last_row; ++i)
        for (Index j = block.first_column; j <= block.last_column; ++j) {
            if (std::isnan(values(i, j))) return values(i, j);
            if (values(i, j) == kMasked) continue;
            sum += values(i, j);
            ++count;
        }
    return count > 0 ? static_cast<Scalar>(sum / static_cast<double>(count)) : kMasked;
}

}  // namespace

HeatmapMark seen_cells(const HeatmapMark& mark) {
    const CellGrid grid{mark.box, mark.values->rows(), mark.values->cols(), mark.seen()};
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    if (rows.size() == grid.rows && columns.size() == grid.columns) return mark;
    HeatmapMark part = mark;
    part.values = std::make_shared<const Matrix>(
        mark.values->block(rows.first, columns.first, rows.size(), columns.size()));
    const Box corner = grid.box_of(rows.first, columns.first);
    part.box = {corner.x, corner.y, corner.width * columns.size(), corner.height * rows.size()};
    return part;
}

MatrixPtr pooled(const MatrixPtr& values, Index most_rows, Index most_columns, FarOut far_out) {
    const Index n = values->rows(), m = values->cols();
    if (most_rows >= n && most_columns >= m) return values;
    const Index rows = std::min(most_rows, n), columns = std::min(most_columns, m);
    const auto last = [](Index k, Index parts, Index count) {
        return std::max(k * count / parts, ((k + 1) * count + parts - 1) / parts - 1);
    };
    Matrix result(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) {
            const CellBlock block{i * n / rows, last(i, rows, n), j * m / columns,
                                  last(j, columns, m)};
            result(i, j) =
                far_out == FarOut::Mean ? mean(*values, block) : strongest(*values, block);
        }
    return std::make_shared<const Matrix>(std::move(result));
}

}  // namespace headlight
