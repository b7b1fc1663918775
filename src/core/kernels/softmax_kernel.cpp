// Softmax of rows and of lists: several short ones are computed at once.
#include "core/kernels/kernels.h"
#include "core/kernels/reduce.h"
#include "core/kernels/vector_math.h"

namespace headlight {
namespace {

// Below this exp counts as 0. Otherwise division by the sum of a long row could give denormal
// numbers, whose arithmetic is up to a hundred times slower.
constexpr Scalar kSoftmaxLow = kIsFloat ? -78 : -699;

// Rows up to this length are computed four at a time: together they stay in the nearest cache.
constexpr Index kShortRow = 256;

/// Rows of n numbers that lie one after another. The bits of one do not depend on the others.
template <int rows>
void softmax(const Scalar* s, Scalar* a, Index n) {
    const Index rest = n % kLanes, whole = n - rest;
    Vector most[rows], last[rows], sums[rows] = {};
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
        most[r] = last[r] = load_some(s + r * n + whole, rest, -kInfinity);
    for (Index j = 0; j < whole; j += kLanes)
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) most[r] = kLarger(load(s + r * n + j), most[r]);
    const OfRows<rows> m = reduce_rows(most, kLarger);
    const OfRows<rows> shift = m > -kInfinity ? m : OfRows<rows>{};  // −∞ − −∞ would be NaN

    // Summed in order, so that masked scores behind the others do not change the bits.
    for (Index j = 0; j < whole; j += kLanes) {
        if constexpr (rows == 1) {
            __builtin_prefetch(s + n + j);  // usually the next row
            __builtin_prefetch(a + n + j, 1);
        }
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) {
            const Vector e = exp(load(s + r * n + j) - shift[r], kSoftmaxLow);
            sums[r] += e;
            store(e, a + r * n + j);
        }
    }
    if (rest > 0)
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) sums[r] += last[r] = exp(last[r] - shift[r], kSoftmaxLow);
    const OfRows<rows> sum = reduce_rows(sums, kSum);
    const OfRows<rows> factor = sum == 0 ? OfRows<rows>{} : 1 / sum;
    for (Index j = 0; j < whole; j += kLanes)
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) store(load(a + r * n + j) * factor[r], a + r * n + j);
    if (rest > 0)
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) store_some(last[r] * factor[r], a + r * n + whole, rest);
}

/// Short lists that lie side by side in one vector: at most four, from `begin` on.
struct ListsInVector {
    BitVector last, depth;  // of each lane: the last lane of its list, how far into the list it is
    Index n_lists = 0;

    ListsInVector(const Index* begin, Index most) {
        const BitVector lanes = lane_numbers();
        BitVector from = {}, first = from;
        last = from;
#pragma GCC unroll 4
        for (Index k = 0; k < 4; ++k) {  // no branches: they would be mispredicted
            const Index size = begin[k < most ? k + 1 : most] - begin[0];
            n_lists += k < most && size <= kLanes;
            const BitVector to = static_cast<Bits>(size < kLanes ? size : kLanes) - BitVector{};
            first = lanes >= from ? from : first;
            last = lanes >= from ? to - 1 : last;
            from = to;
        }
        depth = lanes - first;
    }

    /// Combines the numbers of each list by f; every lane of the list gets the result.
    template <typename Function>
    Vector reduce(Vector v, Function f) const {
        const BitVector lanes = lane_numbers();
#pragma GCC unroll 4
        for (Bits d = 1; d < kLanes; d *= 2) v = depth >= d ? f(permute(v, lanes - d), v) : v;
        return permute(v, last);
    }
};

/// The softmax of those lists. Lanes behind them get any numbers.
Vector softmax(const ListsInVector& lists, Vector s) {
    const Vector m = lists.reduce(s, kLarger);
    const Vector e = exp(s - (m > -kInfinity ? m : Vector{}), kSoftmaxLow);
    const Vector sum = lists.reduce(e, kSum);
    return e * (sum == 0 ? Vector{} : 1 / sum);
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void softmax_rows(const Scalar* s, Scalar* a, Index n_rows, Index n) {
    Index i = 0;
    if (n <= kShortRow)
        for (; i + 4 <= n_rows; i += 4) softmax<4>(s + i * n, a + i * n, n);
    for (; i < n_rows; ++i) softmax<1>(s + i * n, a + i * n, n);
}

void softmax_lists(const Index* offsets, Index n_lists, const Scalar* s, Scalar* a) {
    for (Index i = 0; i < n_lists;) {
        const Index begin = offsets[i], left = offsets[n_lists] - begin;
        const ListsInVector lists(offsets + i, n_lists - i);
        if (lists.n_lists == 0)
            softmax<1>(s + begin, a + begin, offsets[++i] - begin);
        else if (left >= kLanes)  // what is written behind these lists is overwritten by the next
            store(softmax(lists, load(s + begin)), a + begin);
        else
            store_some(softmax(lists, load_some(s + begin, left, 0)), a + begin, left);
        i += lists.n_lists;
    }
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
