#include "core/numeric/product.h"

#include "core/kernels/levels.h"

namespace headlight {

void compute_product(const Product& product) {
    kernels().product(product);
}

void compute_products(const Product* sharing, Index n) {
    if (n > 0) kernels().products(sharing, n);
}

void pack_factor(const Factor& B, Index depth, Index columns, Scalar* panels) {
    kernels().pack(B, depth, columns, panels);
}

Index packed_size(const Factor& B, Index depth, Index columns) {
    return kernels().packed_size(B, depth, columns);
}

void compute_products(const SparseProduct* sharing, Index n) {
    kernels().sparse_products(sharing, n);
}

}  // namespace headlight
