#include "core/numeric/product.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/error.h"
#include "core/kernels/levels.h"
#include "core/studies.h"

namespace headlight::product_test {
namespace {

struct Shape {
    Index rows, depth, columns;
};

// Sizes of 0 and 1, whole tiles and panels, one more, one less, and several panels deep.
const std::vector<Shape> kShapes = {
    {1, 1, 1},    {1, 0, 1},    {3, 0, 5},    {0, 4, 3},       {2, 3, 0},     {12, 16, 12},
    {14, 8, 32},  {15, 9, 33},  {6, 5, 16},   {7, 64, 17},     {5, 7, 3},     {64, 31, 40},
    {257, 2, 65}, {2, 257, 31}, {17, 769, 9}, {257, 257, 257}, {15, 770, 592}};

/// The result in double, and Σ |summand|: rounding errors are relative to that.
struct Expected {
    Eigen::MatrixXd value, magnitude;
};

Expected expected_product(const Matrix& A, const Matrix& B) {
    const Eigen::MatrixXd a = A.cast<double>(), b = B.cast<double>();
    return {a * b, a.cwiseAbs() * b.cwiseAbs()};
}

bool is_close(const Matrix& C, const Expected& expected) {
    const double tolerance = 64 * std::numeric_limits<Scalar>::epsilon();
    return ((C.cast<double>() - expected.value).array().abs() <=
            tolerance * expected.magnitude.array())
        .all();
}

/// The product with B given only in packed form.
void product_of_packed(const Kernels& kernels, const Matrix& A, const Matrix& B, Matrix& C) {
    const Matrix Bt = B.transpose();  // never read itself
    const Factor factor = {Bt.data(), 1, Bt.rowStride()};
    Matrix panels(1, kernels.packed_size(factor, B.rows(), B.cols()));
    kernels.pack(factor, B.rows(), B.cols(), panels.data());
    Product p = product(A, B, C);
    p.panels = panels.data();
    if (C.cols() > 1) p.B.data = nullptr;
    kernels.product(p);
}

/// The same product with every transposition.
std::vector<Matrix> all_products(const Kernels& kernels, const Matrix& A, const Matrix& B) {
    const Matrix At = A.transpose(), Bt = B.transpose();
    std::vector<Matrix> products(5, Matrix::Constant(A.rows(), B.cols(), 7));
    product_of_packed(kernels, A, B, products[4]);
    kernels.product(product(A, B, products[0]));
    kernels.product(product(A, Bt.transpose(), products[1]));
    kernels.product(product(At.transpose(), B, products[2]));
    kernels.product(product(At.transpose(), Bt.transpose(), products[3]));
    return products;
}

}  // namespace

TEST_CASE("product: it agrees with the definition, for every shape, transposition and level") {
    for (const KernelLevel& level : kernel_levels())
        for (const Shape& s : kShapes) {
            const Matrix A = random_matrix(s.rows, s.depth, 1);
            const Matrix B = random_matrix(s.depth, s.columns, 2);
            const Expected expected = expected_product(A, B);
            for (const Matrix& C : all_products(*level.kernels, A, B))
                CHECK_MESSAGE(is_close(C, expected), std::string(level.name), " ",
                              shape_text(s.rows, s.depth), " · ", shape_text(s.depth, s.columns));
        }
}

TEST_CASE("products with a common factor have the same bits as one by one") {
    for (const KernelLevel& level : kernel_levels())
        for (const Index columns : {1, 2, 4, 8, 16, 32, 48, 64, 5, 0})
            for (const Index rows : {1, 2, 6, 13, 100})
                for (const Index n : {1, 2, 3, 8, 17}) {
                    const Matrix A = random_matrix(rows, 70, 1);
                    std::vector<Matrix> B, alone, together;
                    std::vector<Product> products;
                    for (Index k = 0; k < n; ++k) B.push_back(random_matrix(70, columns, 2 + k));
                    alone.assign(static_cast<std::size_t>(n), Matrix::Constant(rows, columns, 7));
                    together = alone;
                    for (std::size_t k = 0; k < B.size(); ++k) {
                        level.kernels->product(product(A, B[k], alone[k], Scalar(0.5)));
                        products.push_back(product(A, B[k], together[k], Scalar(0.5)));
                    }
                    level.kernels->products(products.data(), n);
                    for (std::size_t k = 0; k < B.size(); ++k)
                        CHECK_MESSAGE(is_same(alone[k], together[k]), std::string(level.name), " ",
                                      n, " of ", shape_text(rows, columns));
                }
}

TEST_CASE("product: a wrong answer is rejected") {
    const Matrix A = random_matrix(5, 7, 1), B = random_matrix(7, 9, 2);
    Matrix C(5, 9);
    set_product(C, A, B);
    REQUIRE(is_close(C, expected_product(A, B)));
    C(4, 8) += Scalar(1e-3);
    CHECK_FALSE(is_close(C, expected_product(A, B)));
}

TEST_CASE("product: it scales, and adds to the existing result") {
    for (const KernelLevel& level : kernel_levels())
        for (const Shape& s : {Shape{3, 4, 5}, Shape{15, 800, 35}, Shape{2, 0, 3}}) {
            const Matrix A = random_matrix(s.rows, s.depth, 1);
            const Matrix B = random_matrix(s.depth, s.columns, 2);
            Matrix C = Matrix::Constant(s.rows, s.columns, 8);
            level.kernels->product(product(A, B, C, Scalar(0.5), Into::Add));
            Expected expected = expected_product(A, B);
            expected.value = expected.value * 0.5;
            expected.value.array() += 8;
            expected.magnitude.array() += 8;
            CHECK_MESSAGE(is_close(C, expected), std::string(level.name));
        }
}

TEST_CASE("product: a bias is added to every row, after rounding, alone and together") {
    for (const KernelLevel& level : kernel_levels())
        for (const Shape& s : kShapes)
            for (const Into into : {Into::Set, Into::Add}) {
                const Matrix A = random_matrix(s.rows, s.depth, 1);
                const Matrix B = random_matrix(s.depth, s.columns, 2);
                const Matrix b = random_matrix(1, s.columns, 3);
                Matrix C = random_matrix(s.rows, s.columns, 4);
                std::vector<Matrix> biased(6, C);
                std::vector<Product> products;
                for (Matrix& each : biased) {
                    products.push_back(product(A, B, each, Scalar(0.3), into));
                    products.back().bias = b.data();
                }
                level.kernels->product(product(A, B, C, Scalar(0.3), into));
                level.kernels->product(products.back());
                products.pop_back();
                level.kernels->products(products.data(), std::ssize(products));
                C.rowwise() += b.row(0);
                for (const Matrix& each : biased)
                    CHECK_MESSAGE(is_same(each, C), std::string(level.name), " ",
                                  shape_text(s.rows, s.columns));
            }
}

TEST_CASE("product: rows computed separately have the same bits as rows computed together") {
    for (const KernelLevel& level : kernel_levels())
        for (const Shape& s : {Shape{33, 12, 12}, Shape{50, 9, 1}, Shape{61, 64, 257},
                               Shape{40, 1537, 33}, Shape{40, 800, 592}}) {
            const Matrix A = random_matrix(s.rows, s.depth, 1);
            const Matrix B = random_matrix(s.depth, s.columns, 2), Bt = B.transpose();
            const std::vector<Matrix> whole = all_products(*level.kernels, A, B);
            Matrix C(s.rows, s.columns), T(s.rows, s.columns);
            for (Index i = 0, count = 1; i < s.rows; i += count, ++count) {
                const Index n = std::min(count, s.rows - i);
                level.kernels->product(product(A.middleRows(i, n), B, C.middleRows(i, n)));
                level.kernels->product(
                    product(A.middleRows(i, n), Bt.transpose(), T.middleRows(i, n)));
            }
            CHECK_MESSAGE(C == whole[0], std::string(level.name));
            CHECK_MESSAGE(T == whole[1], std::string(level.name));
        }
}

TEST_CASE("product: a sparse product agrees with the definition") {
    const std::vector<Index> offsets = {0, 3, 3, 4, 6}, neighbour = {0, 2, 4, 1, 3, 4};
    for (const KernelLevel& level : kernel_levels())
        for (const Index width : {1, 8, 16, 33}) {
            const Matrix weights = random_matrix(6, 1, 1), B = random_matrix(5, width, 2);
            Matrix C = Matrix::Constant(4, width, 7), expected = Matrix::Zero(4, width);
            for (std::size_t i = 0; i < 4; ++i)
                for (Index e = offsets[i]; e < offsets[i + 1]; ++e)
                    expected.row(static_cast<Index>(i)) +=
                        weights(e, 0) * B.row(neighbour[static_cast<std::size_t>(e)]);
            const SparseProduct product{
                offsets.data(), neighbour.data(), weights.data(), B.data(), C.data(), 4, width};
            level.kernels->sparse_products(&product, 1);
            CHECK((C - expected).cwiseAbs().maxCoeff() <= 1e-6);
        }
}

TEST_CASE("product: several sparse products have the bits of each alone") {
    const std::vector<Index> offsets = {0, 3, 3, 4, 6}, neighbour = {0, 2, 4, 1, 3, 4};
    for (const KernelLevel& level : kernel_levels())
        for (const Index width : {1, 8, 33})
            for (const Index n : {2, 8, 9, 19}) {
                const Matrix weights = random_matrix(n, 6, 1), B = random_matrix(n, 5 * width, 2);
                Matrix together(n, 4 * width), alone(n, 4 * width);
                std::vector<SparseProduct> products;
                for (Index k = 0; k < n; ++k) {
                    SparseProduct product{offsets.data(),
                                          neighbour.data(),
                                          weights.row(k).data(),
                                          B.row(k).data(),
                                          alone.row(k).data(),
                                          4,
                                          width};
                    level.kernels->sparse_products(&product, 1);
                    product.C = together.row(k).data();
                    products.push_back(product);
                }
                level.kernels->sparse_products(products.data(), n);
                CHECK(is_same(together, alone));
            }
}

TEST_CASE("product: it reads and writes blocks of larger matrices, and nothing around them") {
    for (const KernelLevel& level : kernel_levels()) {
        const Matrix A = random_matrix(20, 40, 1), B = random_matrix(40, 60, 2);
        Matrix C = Matrix::Constant(20, 60, 7);
        level.kernels->product(
            product(A.block(1, 2, 17, 30), B.block(3, 4, 30, 50), C.block(2, 5, 17, 50)));
        CHECK(is_close(C.block(2, 5, 17, 50),
                       expected_product(A.block(1, 2, 17, 30), B.block(3, 4, 30, 50))));
        C.block(2, 5, 17, 50).setConstant(7);
        CHECK(C == Matrix::Constant(20, 60, 7));
    }
}

TEST_CASE("product: an infinity or NaN stays in its row or column") {
    for (const KernelLevel& level : kernel_levels()) {
        Matrix A = Matrix::Ones(9, 5), B = Matrix::Ones(5, 19), C(9, 19);
        A(3, 2) = std::numeric_limits<Scalar>::quiet_NaN();
        B(1, 18) = std::numeric_limits<Scalar>::infinity();
        level.kernels->product(product(A, B, C));
        for (Index i = 0; i < 9; ++i)
            for (Index j = 0; j < 19; ++j)
                if (i == 3)
                    CHECK(std::isnan(C(i, j)));
                else
                    CHECK(C(i, j) == (j == 18 ? std::numeric_limits<Scalar>::infinity() : 5));
    }
}

TEST_CASE("kernels: an unknown level is refused by name") {
    CHECK(level_named("baseline").kernels == kernel_levels().front().kernels);
    CHECK_THROWS_WITH_AS(level_named("avx1024"),
                         doctest::Contains("[kernels] 'avx1024' is not a level of vector "
                                           "instructions that this machine has; "
                                           "HEADLIGHT_KERNELS may be baseline"),
                         Error);
}

}  // namespace headlight::product_test
