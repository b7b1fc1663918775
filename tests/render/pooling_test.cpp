// Blocks of cells: what is shown if many cells share a pixel.
#include <doctest/doctest.h>
#include <limits>
#include <random>

#include "render/heatmap_pixels.h"

namespace headlight::pooling_test {
namespace {

constexpr Scalar kNaN = std::numeric_limits<Scalar>::quiet_NaN();
constexpr auto kNumber = static_cast<std::uint8_t>(CellClass::Number);
constexpr auto kMaskedCell = static_cast<std::uint8_t>(CellClass::Masked);
constexpr auto kNotANumber = static_cast<std::uint8_t>(CellClass::NotANumber);

Matrix random_matrix(Index rows, Index columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    return Matrix::NullaryExpr(rows, columns, [&] { return uniform(generator); });
}

}  // namespace

TEST_CASE("pool: a block shows its largest magnitude, with its sign") {
    Matrix matrix(2, 4);
    matrix << 1, -3, 2, 2,  //
        0, 2, -2, 1;
    const CellBlocks blocks = pool(cell_blocks(matrix), 1, 1);
    CHECK(blocks.rows == 1);
    CHECK(blocks.columns == 2);
    CHECK(blocks.values[0] == -3);
    CHECK(blocks.values[1] == 2);  // 2 is preferred to −2
}

TEST_CASE("pool: the last odd row and column are kept") {
    Matrix matrix = Matrix::Zero(5, 7);
    matrix(4, 6) = -9;
    const CellBlocks blocks = pool(cell_blocks(matrix), 1, 1);
    CHECK(blocks.rows == 3);
    CHECK(blocks.columns == 4);
    CHECK(blocks.values.back() == -9);
}

TEST_CASE("pool: NaN takes precedence over numbers, and numbers over masked cells") {
    Matrix matrix(1, 6);
    matrix << kNaN, 5, kMasked, -1, kMasked, kMasked;
    const CellBlocks blocks = pool(cell_blocks(matrix), 1, 0);
    CHECK(blocks.classes == std::vector<std::uint8_t>{kNotANumber, kNumber, kMaskedCell});
    CHECK(blocks.values[1] == -1);
}

TEST_CASE("cell_blocks: infinity is the largest number, and every texel is finite") {
    Matrix matrix(1, 3);
    matrix << std::numeric_limits<Scalar>::infinity(), kNaN, kMasked;
    const CellBlocks blocks = cell_blocks(matrix);
    CHECK(blocks.values[0] == std::numeric_limits<float>::max());
    CHECK(blocks.values[1] == 0);
    CHECK(blocks.values[2] == 0);
}

TEST_CASE("cell_blocks: classes exist only if needed") {
    CHECK(cell_blocks(Matrix::Ones(3, 3)).classes.empty());
    CHECK(cell_blocks(Matrix::Constant(1, 1, std::numeric_limits<Scalar>::infinity()))
              .classes.empty());
    CHECK(cell_blocks(Matrix::Constant(1, 1, kMasked)).classes.size() == 1);
}

TEST_CASE("pool: pooling twice equals pooling once by the product, with and without classes") {
    Matrix matrix = random_matrix(37, 53, 1);
    for (int pass = 0; pass < 2; ++pass) {
        const CellBlocks cells = cell_blocks(matrix);
        const CellBlocks at_once = pool(cells, 3, 2);
        const CellBlocks in_steps = pool(pool(pool(cells, 1, 1), 1, 1), 1, 0);
        CHECK(at_once.values == in_steps.values);
        CHECK(at_once.classes == in_steps.classes);
        matrix(3, 4) = kNaN;
        matrix.row(20).setConstant(kMasked);
    }
}

TEST_CASE("pool_means: they are the means of the numbers; NaN wins, masked cells do not count") {
    Matrix matrix(2, 6);
    matrix << 1, 3, kMasked, 4, kNaN, 1,  //
        5, 7, kMasked, kMasked, 2, 2;
    const CellBlocks means = pool_means(cell_blocks(matrix), 1, 1);
    REQUIRE(means.values.size() == 3);
    CHECK(means.values[0] == 4);
    CHECK(means.values[1] == 4);
    CHECK(means.classes[2] == kNotANumber);
    CHECK(pool_means(cell_blocks(Matrix::Constant(2, 2, kMasked)), 1, 1).classes[0] == kMaskedCell);
    // An odd last row or column counts like any other.
    const Matrix odd = random_matrix(5, 7, 3);
    const CellBlocks all = pool_means(cell_blocks(odd), 3, 3);
    REQUIRE(all.values.size() == 1);
    CHECK(all.values[0] == doctest::Approx(odd.mean()).epsilon(1e-5));
}

}  // namespace headlight::pooling_test
