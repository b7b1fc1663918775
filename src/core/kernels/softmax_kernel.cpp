// Softmax of rows, several short ones at once; and of lists, of several heads at once.
#include "core/kernels/kernels.h"
#include "core/kernels/vector.h"

namespace headlight {
namespace {

namespace {

constexpr auto kLarger = [](auto a, auto b) { return a > b ? a : b; };
constexpr auto kSum = [](auto a, auto b) { return a + b; };

/// Combines halves by f until so many lanes are left.
template <int left, int lanes = kLanes, typename Function>
typename Lanes<left>::Type reduce_to(typename Lanes<lanes>::Type v, Function f) {
    if constexpr (lanes == left) {
        return v;
    } else {
        typename Lanes<lanes / 2>::Type half[2];
        __builtin_memcpy(half, &v, sizeof v);
        return reduce_to<left, lanes / 2>(f(half[0], half[1]), f);
    }
}

/// A number for each of several rows.
template <int rows>
using OfRows = typename Lanes<rows>::Type;

/// Reduces all lanes of each vector by f. The bits of one do not depend on the others.
template <typename Function>
OfRows<1> reduce_rows(const Vector (&v)[1], Function f) {
    return reduce_to<1>(v[0], f);
}

template <typename Function>
OfRows<4> reduce_rows(const Vector (&v)[4], Function f) {
    constexpr int kLeft = kLanes < 4 ? kLanes : 4;
    typename Lanes<kLeft>::Type row[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) row[r] = reduce_to<kLeft>(v[r], f);
    OfRows<4> lane[kLeft];  // transposed: the rows' lanes 0, the rows' lanes 1, …
#pragma GCC unroll 4
    for (int k = 0; k < kLeft; ++k) lane[k] = OfRows<4>{row[0][k], row[1][k], row[2][k], row[3][k]};
    if constexpr (kLeft == 4) return f(f(lane[0], lane[2]), f(lane[1], lane[3]));
    return f(lane[0], lane[1]);
}

}  // namespace

// Below this exp counts as 0. Otherwise division by the sum of a long row could give denormal
// numbers, whose arithmetic is up to a hundred times slower.
constexpr Scalar kSoftmaxLow = kIsFloat ? -78 : -699;

// Rows up to this length are computed four at a time: together they stay in the nearest cache.
constexpr Index kShortRow = 256;

/// Computes the softmax of rows of n numbers that lie one after another. The bits of one do not
/// depend on the others.
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

    // The sum is in order, so that masked scores after the others do not change the bits.
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

// So many heads are computed together, each in a lane, by blocks of so many edges: their scores
// stay in the nearest cache.
constexpr Index kTogether = 8, kBlockEdges = 256;

template <int heads>
using OfHeads = typename Lanes<heads>::Type;

/// Lists that lie one after another: list k is at offsets[k] ≤ e < offsets[k + 1].
struct Lists {
    const Index* offsets;
    Index count;

    Index begin() const { return offsets[0]; }
    Index size() const { return offsets[count] - offsets[0]; }

    /// Returns as many lists as a block holds, at least one.
    Lists first_block() const {
        Index end = 1;
        while (end < count && offsets[end + 1] - offsets[0] <= kBlockEdges) ++end;
        return {offsets, end};
    }
};

template <int heads>
OfHeads<heads> load_heads(const Scalar* x) {
    OfHeads<heads> v;
    __builtin_memcpy(&v, x, sizeof v);
    return v;
}

template <int heads>
void store_heads(OfHeads<heads> v, Scalar* x) {
    __builtin_memcpy(x, &v, sizeof v);
}

/// Computes softmaxes in place; the scores of all heads on an edge lie beside each other. The bits
/// of one head do not depend on the others.
template <int heads>
void softmax_in_place(const Lists& lists, Scalar* x) {
    const auto edge = [&](Index e) { return x + (e - lists.begin()) * heads; };
    for (Index k = 0; k < lists.count; ++k) {
        const Index begin = lists.offsets[k], end = lists.offsets[k + 1];
        OfHeads<heads> m = OfHeads<heads>{} - kInfinity;
        for (Index e = begin; e < end; ++e) m = kLarger(load_heads<heads>(edge(e)), m);
        const OfHeads<heads> shift = m > -kInfinity ? m : OfHeads<heads>{};
        for (Index e = begin; e < end; ++e)
            store_heads<heads>(load_heads<heads>(edge(e)) - shift, edge(e));
    }
    const Index n = lists.size() * heads, whole = n - n % kLanes;
    for (Index i = 0; i < whole; i += kLanes) store(exp(load(x + i), kSoftmaxLow), x + i);
    if (whole < n)
        store_some(exp(load_some(x + whole, n - whole, 0), kSoftmaxLow), x + whole, n - whole);
    for (Index k = 0; k < lists.count; ++k) {
        const Index begin = lists.offsets[k], end = lists.offsets[k + 1];
        OfHeads<heads> sum = {};
        for (Index e = begin; e < end; ++e) sum += load_heads<heads>(edge(e));
        const OfHeads<heads> factor = sum == 0 ? OfHeads<heads>{} : 1 / sum;
        for (Index e = begin; e < end; ++e)
            store_heads<heads>(load_heads<heads>(edge(e)) * factor, edge(e));
    }
}

/// Turns rows into columns.
void transpose(OfHeads<kTogether> (&rows)[kTogether]) {
    OfHeads<kTogether> pairs[kTogether], quads[kTogether];
#pragma GCC unroll 4
    for (int r = 0; r < kTogether; r += 2) {
        pairs[r] = __builtin_shufflevector(rows[r], rows[r + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[r + 1] = __builtin_shufflevector(rows[r], rows[r + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
#pragma GCC unroll 2
    for (int r = 0; r < kTogether; r += 4)
#pragma GCC unroll 2
        for (int k = 0; k < 2; ++k) {
            const auto above = pairs[r + k], below = pairs[r + k + 2];
            quads[r + 2 * k] = __builtin_shufflevector(above, below, 0, 1, 8, 9, 4, 5, 12, 13);
            quads[r + 2 * k + 1] =
                __builtin_shufflevector(above, below, 2, 3, 10, 11, 6, 7, 14, 15);
        }
#pragma GCC unroll 4
    for (int r = 0; r < kTogether / 2; ++r) {
        const auto left = quads[r], right = quads[r + 4];
        rows[r] = __builtin_shufflevector(left, right, 0, 1, 2, 3, 8, 9, 10, 11);
        rows[r + 4] = __builtin_shufflevector(left, right, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/// Copies the first n numbers; a size that is known makes it one instruction.
void copy_up_to_eight(const void* from, void* to, Index n) {
    if (n == kTogether)
        __builtin_memcpy(to, from, kTogether * sizeof(Scalar));
    else
        __builtin_memcpy(to, from, static_cast<std::size_t>(n) * sizeof(Scalar));
}

/// Computes the softmaxes of up to eight heads; the lists fit into a block.
void softmax_together(const Lists& lists, const ListScores* heads, Index n) {
    alignas(64) Scalar block[kBlockEdges * kTogether];
    const Index begin = lists.begin(), size = lists.size();
    OfHeads<kTogether> rows[kTogether] = {};
    for (Index e = 0; e < size; e += kTogether) {
        const Index left = size - e < kTogether ? size - e : kTogether;
        for (Index h = 0; h < n; ++h) copy_up_to_eight(heads[h].s + begin + e, &rows[h], left);
        transpose(rows);
        for (int k = 0; k < kTogether; ++k)
            store_heads<kTogether>(rows[k], block + (e + k) * kTogether);
    }
    softmax_in_place<kTogether>(lists, block);
    for (Index e = 0; e < size; e += kTogether) {
        const Index left = size - e < kTogether ? size - e : kTogether;
        for (int k = 0; k < kTogether; ++k)
            rows[k] = load_heads<kTogether>(block + (e + k) * kTogether);
        transpose(rows);
        for (Index h = 0; h < n; ++h) copy_up_to_eight(&rows[h], heads[h].a + begin + e, left);
    }
}

void softmax_alone(const Lists& lists, const ListScores& head) {
    Scalar* const a = head.a + lists.begin();
    __builtin_memcpy(a, head.s + lists.begin(), std::size_t(lists.size()) * sizeof(Scalar));
    softmax_in_place<1>(lists, a);
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void softmax_rows(const Scalar* s, Scalar* a, Index n_rows, Index n) {
    Index i = 0;
    if (n <= kShortRow)
        for (; i + 4 <= n_rows; i += 4) softmax<4>(s + i * n, a + i * n, n);
    for (; i < n_rows; ++i) softmax<1>(s + i * n, a + i * n, n);
}

void softmax_lists(const Index* offsets, Index n_lists, const ListScores* heads, Index n_heads) {
    for (Index i = 0; i < n_lists;) {
        const Lists lists = Lists{offsets + i, n_lists - i}.first_block();
        Index h = 0;
        if (lists.size() <= kBlockEdges)
            for (; n_heads - h > 1; h += kTogether) {
                const Index left = n_heads - h;
                softmax_together(lists, heads + h, left < kTogether ? left : kTogether);
            }
        for (; h < n_heads; ++h) softmax_alone(lists, heads[h]);
        i += lists.count;
    }
}

}  // namespace HEADLIGHT_LEVEL

}  // namespace headlight
