// Reduction of vectors to one number each.
//
// Only kernels include this. Everything is local to a source file: see kernels.h.
#pragma once

#include "core/kernels/vector.h"

namespace headlight {
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
}  // namespace headlight
