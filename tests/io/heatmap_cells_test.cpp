#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <optional>

#include "io/pictures/figure_painter.h"

namespace headlight::heatmap_cells_test {
namespace {

constexpr Scalar kNan = std::numeric_limits<Scalar>::quiet_NaN();

Scalar rank(Scalar v) {
    if (std::isnan(v)) return std::numeric_limits<Scalar>::infinity();
    return v == kMasked ? Scalar(-1) : std::abs(v);
}

/// The strongest cell of those that the pixel overlaps, row by row.
Scalar strongest_of(const Matrix& values, Index i, Index j, Index side) {
    const Index n = values.rows(), m = values.cols();
    std::optional<Scalar> best;
    for (Index y = 0; y < n; ++y)
        for (Index x = 0; x < m; ++x) {
            const bool is_shared = y * side < (i + 1) * n && (y + 1) * side > i * n &&
                                   x * side < (j + 1) * m && (x + 1) * side > j * m;
            if (is_shared && (!best || rank(values(y, x)) > rank(*best))) best = values(y, x);
        }
    return *best;
}

bool same(Scalar a, Scalar b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

TEST_CASE("pooled: each pixel shows the strongest of its cells, the first one among equals") {
    for (const Index n : {7, 16, 33}) {
        // Few magnitudes, so that equal ones occur with both signs.
        Matrix values = (Matrix::Random(n, n + 3) * Scalar(3)).array().round().matrix();
        values(2, 3) = kNan;
        values.row(5).setConstant(kMasked);
        for (Index side = 1; side < n; ++side) {
            const MatrixPtr small =
                pooled(std::make_shared<const Matrix>(values), side, side, FarOut::Strongest);
            for (Index i = 0; i < side; ++i)
                for (Index j = 0; j < side; ++j)
                    REQUIRE(same((*small)(i, j), strongest_of(values, i, j, side)));
        }
    }
}

TEST_CASE("pooled: a matrix that fits is unchanged, and the mean is of numbers only") {
    Matrix values{{1, 3, kMasked, kMasked}, {5, kMasked, kMasked, kMasked}};
    const auto shared = std::make_shared<const Matrix>(values);
    CHECK(pooled(shared, 2, 4, FarOut::Mean) == shared);
    const MatrixPtr small = pooled(shared, 1, 2, FarOut::Mean);
    CHECK((*small)(0, 0) == 3);
    CHECK((*small)(0, 1) == kMasked);
    values(0, 1) = kNan;
    CHECK(std::isnan((*pooled(std::make_shared<const Matrix>(values), 1, 2, FarOut::Mean))(0, 0)));
}

}  // namespace headlight::heatmap_cells_test
