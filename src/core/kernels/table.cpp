// The kernels of one level.
#include "core/kernels/kernels.h"

namespace headlight::HEADLIGHT_LEVEL {

void multiply(const Product&);
void multiply_sharing(const Product* products, Index n);
void pack_panels(const Factor& B, Index depth, Index columns, Scalar* panels);
Index packed_size(const Factor& B, Index depth, Index columns);
void copy_past_caches(const Scalar* from, Scalar* to, Index n);
void multiply_sparse(const SparseProduct* products, Index n);
void additive_scores(const AdditiveScores&, Scalar* S);
void copy_rows(const RowCopy& copy, Index rows, Index n);
void pull_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n);
void leaky_relu_row(const Scalar* x, Scalar* y, Index n, Scalar slope);
void softmax_rows(const Scalar* s, Scalar* a, Index n_rows, Index n);
void softmax_lists(const Index* offsets, Index n_lists, const ListScores* heads, Index n_heads);
void pull_leaky_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n, Scalar slope);
RowFunction exp_row, tanh_row, sigmoid_row;
RowFunction gelu_row, gelu_tanh_row, gelu_slope_row, gelu_tanh_slope_row, silu_row, silu_slope_row,
    relu_row;

extern const Kernels kernels;
const Kernels kernels{.product = multiply,
                      .products = multiply_sharing,
                      .pack = pack_panels,
                      .packed_size = packed_size,
                      .copy_past_caches = copy_past_caches,
                      .sparse_products = multiply_sparse,
                      .additive_scores = additive_scores,
                      .copy_rows = copy_rows,
                      .pull_relu = pull_relu_row,
                      .leaky_relu = leaky_relu_row,
                      .pull_leaky_relu = pull_leaky_relu_row,
                      .softmax_rows = softmax_rows,
                      .softmax_lists = softmax_lists,
                      .exp = exp_row,
                      .tanh = tanh_row,
                      .sigmoid = sigmoid_row,
                      .gelu = gelu_row,
                      .gelu_tanh = gelu_tanh_row,
                      .gelu_slope = gelu_slope_row,
                      .gelu_tanh_slope = gelu_tanh_slope_row,
                      .silu = silu_row,
                      .silu_slope = silu_slope_row,
                      .relu = relu_row};

}  // namespace headlight::HEADLIGHT_LEVEL
