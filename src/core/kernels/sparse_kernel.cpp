// Products of sparse matrices, given by their rows, and dense ones.
#include "core/kernels/kernels.h"
#include "core/kernels/vector.h"

namespace headlight {
namespace {

// If B is too large for the caches, its rows are prefetched this many edges ahead.
constexpr Index kAhead = 12, kFarBytes = Index(1) << 20;

// So many products are computed together: their rows end at the same edges, which a processor does
// not foresee. The matrices of more would not stay in its nearer caches.
constexpr int kTogether = 4;

/// Sums one row of n products, each by itself.
template <bool is_far, int n, typename Load>
void sum_row(const SparseProduct* products, Index row, Load load_at, Vector (&sums)[n]) {
    const SparseProduct& shared = products[0];
    const Index end = shared.offsets[row + 1], last = shared.offsets[shared.rows] - 1;
    for (Index e = shared.offsets[row]; e < end; ++e) {
        const Index at = shared.neighbour[e] * shared.columns;
        const Index ahead =
            is_far ? shared.neighbour[e + kAhead < last ? e + kAhead : last] * shared.columns : 0;
#pragma GCC unroll 4
        for (int k = 0; k < n; ++k) {
            if constexpr (is_far) __builtin_prefetch(products[k].B + ahead);
            sums[k] += products[k].weights[e] * load_at(products[k].B + at);
        }
    }
}

template <bool is_far, int n>
void multiply_rows(const SparseProduct* products) {
    const Index rows = products[0].rows, columns = products[0].columns;
    for (Index i = 0; i < rows; ++i) {
        Index j = 0;
        for (; j + kLanes <= columns; j += kLanes) {
            Vector sums[n] = {};
            sum_row<is_far>(
                products, i, [j](const Scalar* row) { return load(row + j); }, sums);
#pragma GCC unroll 4
            for (int k = 0; k < n; ++k) store(sums[k], products[k].C + i * columns + j);
        }
        if (const Index left = columns - j; left > 0) {
            Vector sums[n] = {};
            const auto load_at = [j, left](const Scalar* row) {
                return load_some(row + j, left, 0);
            };
            sum_row<is_far>(products, i, load_at, sums);
#pragma GCC unroll 4
            for (int k = 0; k < n; ++k) store_some(sums[k], products[k].C + i * columns + j, left);
        }
    }
}

template <int n>
void multiply(const SparseProduct* products) {
    const Index bytes = products[0].rows * products[0].columns * Index(sizeof(Scalar));
    bytes > kFarBytes ? multiply_rows<true, n>(products) : multiply_rows<false, n>(products);
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void multiply_sparse(const SparseProduct* products, Index n) {
    for (; n >= kTogether; n -= kTogether, products += kTogether) multiply<kTogether>(products);
    for (; n > 0; --n, ++products) multiply<1>(products);
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
