#include "io/heatmap_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "paint/cell_grid.h"

namespace headlight {
namespace {

/// Which of the cells that share a pixel is shown: NaN before all numbers, masked cells last.
Scalar rank(Scalar value) {
    if (std::isnan(value)) return std::numeric_limits<Scalar>::infinity();
    return value == kMasked ? Scalar(-1) : std::abs(value);
}

/// Of each of the `parts` pixels along an axis the cells that share it; an edge cell is in two.
std::vector<IndexRange> shared_cells(Index count, Index parts) {
    std::vector<IndexRange> cells;
    for (Index k = 0; k < parts; ++k) {
        const Index first = k * count / parts;
        cells.push_back({first, std::max(first + 1, ((k + 1) * count + parts - 1) / parts)});
    }
    return cells;
}

/// Values and their ranks, side by side.
struct Ranked {
    std::vector<Scalar> values, ranks;

    explicit Ranked(Index n)
        : values(static_cast<std::size_t>(n)), ranks(static_cast<std::size_t>(n)) {}
};

/// Of each pixel's cells in one row the strongest, the first of equals. `ranks` is room for them.
void reduce_row(const Scalar* row, std::span<const IndexRange> columns, std::span<Scalar> ranks,
                Ranked& best) {
    for (std::size_t j = 0; j < ranks.size(); ++j) ranks[j] = rank(row[j]);
    for (std::size_t j = 0; j < columns.size(); ++j) {
        Index at = columns[j].first;
        Scalar value = row[at], highest = ranks[static_cast<std::size_t>(at)];
        for (++at; at < columns[j].end; ++at) {
            const Scalar here = ranks[static_cast<std::size_t>(at)];
            const bool is_stronger = here > highest;  // no branch: nobody could foresee it
            value = is_stronger ? row[at] : value;
            highest = is_stronger ? here : highest;
        }
        best.values[j] = value;
        best.ranks[j] = highest;
    }
}

void take_stronger(Ranked& best, const Ranked& other) {
    Scalar *values = best.values.data(), *ranks = best.ranks.data();
    const Scalar *more = other.values.data(), *more_ranks = other.ranks.data();
    for (std::size_t j = 0; j < best.values.size(); ++j) {
        const bool is_stronger = more_ranks[j] > ranks[j];
        values[j] = is_stronger ? more[j] : values[j];
        ranks[j] = is_stronger ? more_ranks[j] : ranks[j];
    }
}

/// First along the rows, each row once, then across them.
void pool_strongest(const Matrix& values, Matrix& result, const Steps& steps) {
    const auto rows = shared_cells(values.rows(), result.rows());
    const auto columns = shared_cells(values.cols(), result.cols());
    std::vector<Scalar> ranks(static_cast<std::size_t>(values.cols()));
    Ranked best(result.cols()), row(result.cols()), last(result.cols());
    Index reduced = -1;  // the row that `last` is of
    for (Index i = 0; i < result.rows(); ++i) {
        const auto [first, end] = rows[static_cast<std::size_t>(i)];
        if (first == reduced)
            std::swap(best, last);
        else
            reduce_row(&values(first, 0), columns, ranks, best);
        for (reduced = first; reduced + 1 < end;) {
            reduce_row(&values(++reduced, 0), columns, ranks, row);
            take_stronger(best, row);
        }
        std::copy(best.values.begin(), best.values.end(), &result(i, 0));
        std::swap(last, reduced == first ? best : row);
        steps.advance(1.0 / static_cast<double>(result.rows()));
    }
}

/// Of the numbers; NaN if one is not a number, masked if all are.
Scalar mean(const Matrix& values, const IndexRange& rows, const IndexRange& columns) {
    double sum = 0;
    Index count = 0;
    for (Index i = rows.first; i < rows.end; ++i)
        for (Index j = columns.first; j < columns.end; ++j) {
            if (std::isnan(values(i, j))) return values(i, j);
            if (values(i, j) == kMasked) continue;
            sum += values(i, j);
            ++count;
        }
    return count > 0 ? static_cast<Scalar>(sum / static_cast<double>(count)) : kMasked;
}

void pool_mean(const Matrix& values, Matrix& result, const Steps& steps) {
    const auto rows = shared_cells(values.rows(), result.rows());
    const auto columns = shared_cells(values.cols(), result.cols());
    for (Index i = 0; i < result.rows(); ++i) {
        for (Index j = 0; j < result.cols(); ++j)
            result(i, j) = mean(values, rows[static_cast<std::size_t>(i)],
                                columns[static_cast<std::size_t>(j)]);
        steps.advance(1.0 / static_cast<double>(result.rows()));
    }
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

MatrixPtr pooled(const MatrixPtr& values, Index most_rows, Index most_columns, FarOut far_out,
                 const Steps& steps) {
    const Index n = values->rows(), m = values->cols();
    if (most_rows >= n && most_columns >= m) {
        steps.advance(1);
        return values;
    }
    Matrix result(std::min(most_rows, n), std::min(most_columns, m));
    far_out == FarOut::Mean ? pool_mean(*values, result, steps)
                            : pool_strongest(*values, result, steps);
    return std::make_shared<const Matrix>(std::move(result));
}

}  // namespace headlight
