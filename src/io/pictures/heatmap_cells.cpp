#include "io/pictures/heatmap_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "paint/cell_grid.h"

namespace headlight {
namespace {

/// Returns the rank of a cell among those that share a pixel, of which the highest is shown: NaN
/// before all numbers, then by magnitude, whose bits are in its order; masked cells last.
std::uint32_t rank(Scalar value) {
    if (value == kMasked) return 0;
    const float magnitude = std::isnan(value) ? std::numeric_limits<float>::infinity()
                                              : static_cast<float>(std::abs(value));
    return std::bit_cast<std::uint32_t>(magnitude) + 1;
}

/// Returns the cells that share each of the `parts` pixels along an axis; a cell on a pixel's edge
/// is in two.
std::vector<IndexRange> shared_cells(Index count, Index parts) {
    std::vector<IndexRange> cells;
    for (Index k = 0; k < parts; ++k) {
        const Index first = k * count / parts;
        cells.push_back({first, std::max(first + 1, ((k + 1) * count + parts - 1) / parts)});
    }
    return cells;
}

/// Returns the most cells that a pixel has.
Index most_cells(std::span<const IndexRange> pixels) {
    Index most = 0;
    for (const IndexRange& cells : pixels) most = std::max(most, cells.size());
    return most;
}

/// Values and their ranks, side by side.
struct Ranked {
    std::vector<Scalar> values;
    std::vector<std::uint32_t> ranks;

    explicit Ranked(Index n)
        : values(static_cast<std::size_t>(n)), ranks(static_cast<std::size_t>(n)) {}
};

/// Reduces one row after the other to the strongest of each pixel's cells, the first of equals.
class RowReducer {
  public:
    RowReducer(Index n_columns, Index n_pixels)
        : pixels_(shared_cells(n_columns, n_pixels)),
          most_(most_cells(pixels_)),
          keys_(static_cast<std::size_t>(n_columns)) {}

    void reduce(const Scalar* row, Ranked& best) {
        // Among equals the lower column is the larger key.
        for (std::size_t j = 0; j < keys_.size(); ++j)
            keys_[j] = std::uint64_t{rank(row[j])} << 32 | (kLast - static_cast<std::uint32_t>(j));
        for (std::size_t p = 0; p < pixels_.size(); ++p) {
            const auto [first, end] = pixels_[p];
            std::uint64_t key = keys_[static_cast<std::size_t>(first)];
            // Every pixel takes the same number of steps, repeating the last cell, so that no
            // branch is unpredictable.
            for (Index k = 1; k < most_; ++k)
                key = std::max(key, keys_[static_cast<std::size_t>(std::min(first + k, end - 1))]);
            best.values[p] = row[kLast - static_cast<std::uint32_t>(key)];
            best.ranks[p] = static_cast<std::uint32_t>(key >> 32);
        }
    }

  private:
    static constexpr std::uint32_t kLast = 0xFFFFFFFF;
    std::vector<IndexRange> pixels_;
    Index most_;
    std::vector<std::uint64_t> keys_;
};

void take_stronger(Ranked& best, const Ranked& other) {
    Scalar* values = best.values.data();
    std::uint32_t* ranks = best.ranks.data();
    const Scalar* more = other.values.data();
    const std::uint32_t* more_ranks = other.ranks.data();
    for (std::size_t j = 0; j < best.values.size(); ++j) {
        const bool is_stronger = more_ranks[j] > ranks[j];
        values[j] = is_stronger ? more[j] : values[j];
        ranks[j] = is_stronger ? more_ranks[j] : ranks[j];
    }
}

/// Reduces the cells along the rows first, each row once, then across them.
void pool_strongest(const Matrix& values, Matrix& result, const Steps& steps) {
    const auto rows = shared_cells(values.rows(), result.rows());
    RowReducer reducer(values.cols(), result.cols());
    Ranked best(result.cols()), row(result.cols()), last(result.cols());
    Index reduced = -1;  // the row that `last` is of
    for (Index i = 0; i < result.rows(); ++i) {
        const auto [first, end] = rows[static_cast<std::size_t>(i)];
        if (first == reduced)
            std::swap(best, last);
        else
            reducer.reduce(&values(first, 0), best);
        for (reduced = first; reduced + 1 < end;) {
            reducer.reduce(&values(++reduced, 0), row);
            take_stronger(best, row);
        }
        std::copy(best.values.begin(), best.values.end(), &result(i, 0));
        std::swap(last, reduced == first ? best : row);
        steps.advance(1.0 / static_cast<double>(result.rows()));
    }
}

/// Returns the mean of the numbers; NaN if a cell is NaN, masked if all are.
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
    const Box corner = grid.cell_box(rows.first, columns.first);
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
