#include "core/numeric/row_functions.h"

#include "core/kernels/levels.h"

namespace headlight {

void copy_past_caches(const Scalar* from, Scalar* to, Index n) {
    kernels().copy_past_caches(from, to, n);
}

void copy_rows(const RowCopy& copy, Index rows, Index n) {
    kernels().copy_rows(copy, rows, n);
}

void exp_row(const Scalar* x, Scalar* y, Index n) {
    kernels().exp(x, y, n);
}

void tanh_row(const Scalar* x, Scalar* y, Index n) {
    kernels().tanh(x, y, n);
}

void sigmoid_row(const Scalar* x, Scalar* y, Index n) {
    kernels().sigmoid(x, y, n);
}

void gelu_row(const Scalar* x, Scalar* y, Index n) {
    kernels().gelu(x, y, n);
}

void gelu_tanh_row(const Scalar* x, Scalar* y, Index n) {
    kernels().gelu_tanh(x, y, n);
}

void gelu_slope_row(const Scalar* x, Scalar* dy, Index n) {
    kernels().gelu_slope(x, dy, n);
}

void gelu_tanh_slope_row(const Scalar* x, Scalar* dy, Index n) {
    kernels().gelu_tanh_slope(x, dy, n);
}

void silu_row(const Scalar* x, Scalar* y, Index n) {
    kernels().silu(x, y, n);
}

void silu_slope_row(const Scalar* x, Scalar* dy, Index n) {
    kernels().silu_slope(x, dy, n);
}

void relu_row(const Scalar* x, Scalar* y, Index n) {
    kernels().relu(x, y, n);
}

void pull_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n) {
    kernels().pull_relu(x, dy, dx, n);
}

void leaky_relu_row(const Scalar* x, Scalar* y, Index n, Scalar slope) {
    kernels().leaky_relu(x, y, n, slope);
}

void pull_leaky_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n, Scalar slope) {
    kernels().pull_leaky_relu(x, dy, dx, n, slope);
}

void additive_scores(const AdditiveScores& scores, Scalar* S) {
    kernels().additive_scores(scores, S);
}

}  // namespace headlight
