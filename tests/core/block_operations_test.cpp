#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::block_operations_test {
namespace {

/// As sharp as the numbers are.
const Scalar kClose = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);

Matrix result_of(const Operation& operation, const std::vector<Matrix>& inputs, Index rows,
                 const OperationSettings& settings = {}) {
    std::vector<ConstView> in;
    for (const Matrix& input : inputs) in.emplace_back(input.data(), input.rows(), input.cols());
    Matrix Y(rows, inputs[0].cols());
    operation.forward({in, settings, rows, Y.cols()}, View(Y.data(), rows, Y.cols()));
    return Y;
}

Matrix plain_norm(const Matrix& X) {
    const Index d = X.cols();
    return result_of(operations::layer_norm, {X, Matrix::Ones(1, d), Matrix::Zero(1, d)}, X.rows());
}

Scalar activated(const Operation& activation, Scalar x) {
    return result_of(activation, {Matrix{{x}}}, 1)(0, 0);
}

OperationSettings taking(std::vector<Index> rows) {
    return {.indices = std::make_shared<const std::vector<Index>>(std::move(rows))};
}

/// True if each row has mean 0 and variance 1, except for the 1e-5 under the root.
bool is_normal(const Matrix& Y, const Matrix& X) {
    for (Index i = 0; i < Y.rows(); ++i) {
        const Scalar variance = (X.row(i).array() - X.row(i).mean()).square().mean();
        const Scalar expected = variance / (variance + Scalar(1e-5));
        if (std::abs(Y.row(i).mean()) > kClose) return false;
        if (std::abs(Y.row(i).array().square().mean() - expected) > kClose) return false;
    }
    return true;
}

/// y = x / √(mean x² + 1e-5) w                                [Zhang & Sennrich 2019, eq. 4]
bool is_rms_norm(const Matrix& Y, const Matrix& X, const Matrix& w) {
    for (Index i = 0; i < X.rows(); ++i) {
        double squares = 0;
        for (Index d = 0; d < X.cols(); ++d)
            squares += static_cast<double>(X(i, d)) * static_cast<double>(X(i, d));
        const double root = std::sqrt(squares / static_cast<double>(X.cols()) + 1e-5);
        for (Index d = 0; d < X.cols(); ++d) {
            const double expected =
                static_cast<double>(X(i, d)) / root * static_cast<double>(w(0, d));
            if (std::abs(static_cast<double>(Y(i, d)) - expected) > static_cast<double>(kClose))
                return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("layer_norm: rows have mean 0 and variance 1") {
    for (const Index d : {1, 2, 3, 8, 37, 257}) {
        const Matrix X = random_matrix(5, d, 1);
        CHECK_MESSAGE(is_normal(plain_norm(X), X), d);
    }
}

TEST_CASE("layer_norm: the law rejects rows with another mean or variance") {
    const Matrix X = random_matrix(5, 8, 1);
    Matrix Y = plain_norm(X);
    Y(3, 2) += Scalar(1e-3);
    CHECK_FALSE(is_normal(Y, X));
    CHECK_FALSE(is_normal(plain_norm(X) * Scalar(1.001), X));
}

TEST_CASE("layer_norm: shifting a row changes nothing, scaling it next to nothing") {
    Matrix X = random_matrix(3, 16, 1);
    const Matrix Y = plain_norm(X);
    X.row(1).array() += 4;
    CHECK(distance(plain_norm(X), Y) < kClose);
    X.row(2) *= 8;  // the 1e-5 under the root weighs less
    CHECK(distance(plain_norm(X), Y) < Scalar(1e-4));
    X.row(0) *= -1;
    CHECK(distance(plain_norm(X), Y) > Scalar(0.1));
}

TEST_CASE("layer_norm: rows whose squares overflow are normalized, too") {
    const Matrix X = random_matrix(3, 16, 1);
    const Matrix Y = plain_norm(X * 1000);
    for (const Scalar size : {Scalar(1e20), Scalar(1e36)})
        CHECK(distance(plain_norm(X * size), Y) < Scalar(1e-4));
}

TEST_CASE("layer_norm: w scales and b shifts every column") {
    const Matrix X = random_matrix(3, 5, 1), w = random_matrix(1, 5, 2), b = random_matrix(1, 5, 3);
    const Matrix expected =
        (plain_norm(X).array().rowwise() * w.row(0).array()).rowwise() + b.row(0).array();
    CHECK(distance(result_of(operations::layer_norm, {X, w, b}, 3), expected) < kClose);
}

TEST_CASE("layer_norm: a single column, or a row of equal numbers, becomes b") {
    const Matrix b{{Scalar(0.25)}};
    const Matrix Y = result_of(operations::layer_norm, {random_matrix(4, 1, 1), Matrix{{3}}, b}, 4);
    CHECK(is_same(Y, Matrix::Constant(4, 1, Scalar(0.25))));
    CHECK(is_same(plain_norm(Matrix::Constant(2, 8, 3)), Matrix::Zero(2, 8)));
}

TEST_CASE("layer_norm: equal rows give the same bits, wherever they are") {
    Matrix X(7, 37);
    X = random_matrix(1, 37, 1).replicate(7, 1);
    const Matrix Y = plain_norm(X);
    for (Index i = 1; i < Y.rows(); ++i) CHECK(is_same(Y.row(i), Y.row(0)));
}

TEST_CASE("rms_norm: each row is divided by its root mean square and multiplied by w") {
    for (const Index d : {1, 2, 3, 8, 37, 257}) {
        const Matrix X = random_matrix(5, d, 1), w = random_matrix(1, d, 2);
        CHECK_MESSAGE(is_rms_norm(result_of(operations::rms_norm, {X, w}, 5), X, w), d);
    }
}

TEST_CASE("rms_norm: the law rejects a layer norm and a wrong cell") {
    const Matrix X = random_matrix(5, 8, 1).array() + 1, w = Matrix::Ones(1, 8);
    CHECK_FALSE(is_rms_norm(plain_norm(X), X, w));
    Matrix Y = result_of(operations::rms_norm, {X, w}, 5);
    Y(3, 2) += Scalar(1e-3);
    CHECK_FALSE(is_rms_norm(Y, X, w));
}

TEST_CASE("rms_norm: scaling a row changes next to nothing, shifting it does") {
    Matrix X = random_matrix(3, 16, 1);
    const Matrix w = random_matrix(1, 16, 2), Y = result_of(operations::rms_norm, {X, w}, 3);
    X.row(2) *= 8;  // the 1e-5 under the root weighs less
    CHECK(distance(result_of(operations::rms_norm, {X, w}, 3), Y) < Scalar(1e-4));
    X.row(1).array() += 4;
    CHECK(distance(result_of(operations::rms_norm, {X, w}, 3), Y) > Scalar(0.1));
}

TEST_CASE("rms_norm: rows whose squares overflow are normalized, too; zeros stay") {
    const Matrix X = random_matrix(3, 16, 1), w = Matrix::Ones(1, 16);
    const Matrix Y = result_of(operations::rms_norm, {X * 1000, w}, 3);
    for (const Scalar size : {Scalar(1e20), Scalar(1e36)})
        CHECK(distance(result_of(operations::rms_norm, {X * size, w}, 3), Y) < Scalar(1e-4));
    CHECK(
        is_same(result_of(operations::rms_norm, {Matrix::Zero(2, 16), w}, 2), Matrix::Zero(2, 16)));
}

TEST_CASE("gelu: x Φ(x), with known values of Φ") {
    // Φ(1) = 0.841344746068543, Φ(2) = 0.977249868051821
    using operations::gelu;
    CHECK(std::abs(activated(gelu, 1) - Scalar(0.841344746068543)) < kClose);
    CHECK(std::abs(activated(gelu, -1) - Scalar(-0.158655253931457)) < kClose);
    CHECK(std::abs(activated(gelu, 2) - Scalar(1.954499736103642)) < kClose);
    CHECK(activated(gelu, 0) == 0);
    CHECK(std::abs(activated(gelu, 30) - 30) < kClose);
    CHECK(std::abs(activated(gelu, -30)) < kClose);
    CHECK(std::abs(activated(gelu, 1) - Scalar(0.8413)) > kClose);
}

TEST_CASE("gelu_tanh: close to gelu, but not equal") {
    // tanh(√(2/π) · 1.044715) = 0.682383981150…
    using operations::gelu_tanh;
    const Scalar at_one = (1 + std::tanh(std::sqrt(Scalar(2 / M_PI)) * Scalar(1.044715))) / 2;
    CHECK(std::abs(activated(gelu_tanh, 1) - at_one) < kClose);
    Scalar largest = 0;
    for (Scalar x = -4; x <= 4; x += Scalar(0.125))
        largest =
            std::max(largest, std::abs(activated(gelu_tanh, x) - activated(operations::gelu, x)));
    CHECK(largest < Scalar(1e-3));
    CHECK(largest > Scalar(1e-4));
}

TEST_CASE("relu, sigmoid, tanh: known values and symmetries") {
    CHECK(activated(operations::relu, Scalar(-0.5)) == 0);
    CHECK(activated(operations::relu, Scalar(2.5)) == Scalar(2.5));
    CHECK(std::isnan(activated(operations::relu, std::numeric_limits<Scalar>::quiet_NaN())));
    CHECK(activated(operations::sigmoid, 0) == Scalar(0.5));
    CHECK(std::abs(activated(operations::sigmoid, std::log(Scalar(3))) - Scalar(0.75)) < kClose);
    CHECK(std::abs(activated(operations::tanh, std::log(Scalar(2))) - Scalar(0.6)) < kClose);
    for (Scalar x = Scalar(0.25); x < 20; x += 1) {
        const Scalar sum = activated(operations::sigmoid, x) + activated(operations::sigmoid, -x);
        CHECK(std::abs(sum - 1) < kClose);
        CHECK(activated(operations::tanh, -x) == -activated(operations::tanh, x));
    }
}

TEST_CASE("gather_rows: takes rows in any order, and sums the gradients of repeated ones") {
    const Matrix X = random_matrix(3, 2, 1), gradient = random_matrix(3, 2, 2);
    const OperationSettings settings = taking({2, 0, 2});
    const Matrix Y = result_of(operations::gather_rows, {X}, 3, settings);
    CHECK(is_same(Y.row(0), X.row(2)));
    CHECK(is_same(Y.row(1), X.row(0)));
    const std::vector<ConstView> in{{X.data(), 3, 2}};
    std::vector<Matrix> into{Matrix::Zero(3, 2)};
    operations::gather_rows.pull({in, settings, 3, 2}, ConstView(Y.data(), 3, 2),
                                 ConstView(gradient.data(), 3, 2), into);
    CHECK(is_same(into[0].row(2), gradient.row(0) + gradient.row(2)));
    CHECK(into[0].row(1).isZero(0));
}

TEST_CASE("append_rows, row_slice: slices undo appending") {
    const Matrix A = random_matrix(3, 4, 1), B = random_matrix(2, 4, 2);
    const Matrix joined = result_of(operations::append_rows, {A, B}, 5);
    CHECK(is_same(result_of(operations::row_slice, {joined}, 3), A));
    CHECK(is_same(result_of(operations::row_slice, {joined}, 2, {.begin = 3}), B));
    CHECK_FALSE(is_same(result_of(operations::row_slice, {joined}, 2, {.begin = 2}), B));
}

}  // namespace headlight::block_operations_test
