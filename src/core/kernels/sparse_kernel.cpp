// The product of a sparse matrix, given by its rows, and a dense one.
#include "core/kernels/kernels.h"
#include "core/kernels/vector.h"

namespace headlight {
namespace {

// If B is too large for the caches, its rows are prefetched this many edges ahead.
constexpr Index kAhead = 12, kFarBytes = Index(1) << 20;

template <bool is_far, typename Load>
Vector sum_of_row(const SparseProduct& p, Index row, Load load_at) {
    const Index end = p.offsets[row + 1], last = p.offsets[p.rows] - 1;
    Vector sum = {};
    for (Index e = p.offsets[row]; e < end; ++e) {
        if constexpr (is_far)
            __builtin_prefetch(p.B +
                               p.neighbour[e + kAhead < last ? e + kAhead : last] * p.columns);
        sum += p.weights[e] * load_at(p.B + p.neighbour[e] * p.columns);
    }
    return sum;
}

template <bool is_far>
void multiply_rows(const SparseProduct& p) {
    for (Index i = 0; i < p.rows; ++i) {
        Scalar* const c = p.C + i * p.columns;
        Index j = 0;
        for (; j + kLanes <= p.columns; j += kLanes)
            store(sum_of_row<is_far>(p, i, [j](const Scalar* row) { return load(row + j); }),
                  c + j);
        if (const Index n = p.columns - j; n > 0)
            store_some(sum_of_row<is_far>(
                           p, i, [j, n](const Scalar* row) { return load_some(row + j, n, 0); }),
                       c + j, n);
    }
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void multiply_sparse(const SparseProduct& p) {
    const bool is_far = p.rows * p.columns * Index(sizeof(Scalar)) > kFarBytes;
    is_far ? multiply_rows<true>(p) : multiply_rows<false>(p);
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
