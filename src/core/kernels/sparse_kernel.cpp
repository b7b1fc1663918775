// The product of a sparse matrix, given by its rows, and a dense one.
#include "core/kernels/kernels.h"
#include "core/kernels/vector.h"

namespace headlight {
namespace {

template <typename Load>
Vector sum_of_row(const SparseProduct& p, Index row, Load load_at) {
    Vector sum = {};
    for (Index e = p.offsets[row]; e < p.offsets[row + 1]; ++e)
        sum += p.weights[e] * load_at(p.B + p.neighbour[e] * p.columns);
    return sum;
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void multiply_sparse(const SparseProduct& p) {
    for (Index i = 0; i < p.rows; ++i) {
        Scalar* const c = p.C + i * p.columns;
        Index j = 0;
        for (; j + kLanes <= p.columns; j += kLanes)
            store(sum_of_row(p, i, [j](const Scalar* row) { return load(row + j); }), c + j);
        if (const Index n = p.columns - j; n > 0)
            store_some(
                sum_of_row(p, i, [j, n](const Scalar* row) { return load_some(row + j, n, 0); }),
                c + j, n);
    }
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
