#include "core/product.h"

#include "core/kernels/levels.h"

namespace headlight {

void compute_product(const Product& product) {
    kernels().product(product);
}

void compute_product(const SparseProduct& product) {
    kernels().sparse_product(product);
}

}  // namespace headlight
