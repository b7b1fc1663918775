#include "core/numeric/statistics.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::statistics_test {

TEST_CASE("summarise: it describes the finite cells; masks and NaN are counted") {
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
    const Summary summary = summarise(Matrix{{1, 5, kMasked}, {3, nan, kMasked}});
    CHECK(summary.low == 1);
    CHECK(summary.high == 5);
    CHECK(summary.mean == 3);
    CHECK(summary.deviation == doctest::Approx(std::sqrt(8.0 / 3)));
    CHECK(summary.n_masked == 2);
    CHECK(summary.n_nan == 1);
}

TEST_CASE("summarise: all cells masked, no cells, and one cell") {
    CHECK(summarise(Matrix::Constant(2, 2, kMasked)).n_masked == 4);
    CHECK(summarise(Matrix::Constant(2, 2, kMasked)).high == 0);
    CHECK(summarise(Matrix(0, 1)).mean == 0);
    const Summary one = summarise(Matrix{{-2}});
    CHECK(one.low == -2);
    CHECK(one.high == -2);
    CHECK(one.deviation == 0);
}

TEST_CASE("row_entropy_bits: 0 for a one-hot row, log₂ n for a uniform one") {
    const Matrix pattern = Matrix{{0, 1, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0, 0.5, 0}};
    CHECK(row_entropy_bits(pattern, 0) == 0);
    CHECK(row_entropy_bits(pattern, 1) == 2);
    CHECK(row_entropy_bits(pattern, 2) == 1);
    CHECK(mean_entropy_bits(pattern) == 1);
}

TEST_CASE("mean_entropy_bits: fully masked rows do not count") {
    CHECK(mean_entropy_bits(Matrix{{0, 0}, {0.5, 0.5}}) == 1);
    CHECK(mean_entropy_bits(Matrix::Zero(2, 2)) == 0);
    CHECK(mean_entropy_bits(Matrix(0, 1)) == 0);
}

}  // namespace headlight::statistics_test
