// Vector: the numbers that fit into one vector register.
//
// Only kernels include this. Everything is local to a source file: see kernels.h.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/scalar.h"

namespace headlight {
namespace {

constexpr Index kLanes = HEADLIGHT_VECTOR_BYTES / sizeof(Scalar);
constexpr bool kIsFloat = sizeof(Scalar) == sizeof(float);

template <bool is_float>
struct BitsOf {
    using Type = std::int32_t;
};
template <>
struct BitsOf<false> {
    using Type = std::int64_t;
};
using Bits = BitsOf<kIsFloat>::Type;

/// A vector of so many numbers. GCC 12 requires a literal size.
template <int lanes>
struct Lanes;
template <>
struct Lanes<1> {
    using Type = Scalar __attribute__((vector_size(sizeof(Scalar))));
};
template <>
struct Lanes<2> {
    using Type = Scalar __attribute__((vector_size(2 * sizeof(Scalar))));
};
template <>
struct Lanes<4> {
    using Type = Scalar __attribute__((vector_size(4 * sizeof(Scalar))));
};
template <>
struct Lanes<8> {
    using Type = Scalar __attribute__((vector_size(8 * sizeof(Scalar))));
};
template <>
struct Lanes<16> {
    using Type = Scalar __attribute__((vector_size(16 * sizeof(Scalar))));
};

using Vector = Lanes<kLanes>::Type;
using BitVector = Bits __attribute__((vector_size(HEADLIGHT_VECTOR_BYTES)));

inline Vector broadcast(Scalar x) {
    return x - Vector{};
}

inline Vector load(const Scalar* x) {
    Vector v;
    __builtin_memcpy(&v, x, sizeof v);
    return v;
}

inline void store(Vector v, Scalar* y) {
    __builtin_memcpy(y, &v, sizeof v);
}

/// Writes to memory without reading it into the caches. y must be aligned to the vector's size.
inline void store_past_caches(Vector v, Scalar* y) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(y), reinterpret_cast<__m512i>(v));
#elif defined(__AVX__)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(y), reinterpret_cast<__m256i>(v));
#elif defined(__SSE2__)
    _mm_stream_si128(reinterpret_cast<__m128i*>(y), reinterpret_cast<__m128i>(v));
#else
    store(v, y);
#endif
}

/// Makes stores past the caches visible to threads that are notified afterwards.
inline void finish_stores() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

// Parts of a vector: with masks if the processor has them, else in pieces of constant size.
#if defined(__AVX512F__)
inline __m512 load_masked(const float* x, Index n, __m512 rest) {
    return _mm512_mask_loadu_ps(rest, static_cast<__mmask16>((1 << n) - 1), x);
}
inline __m512d load_masked(const double* x, Index n, __m512d rest) {
    return _mm512_mask_loadu_pd(rest, static_cast<__mmask8>((1 << n) - 1), x);
}
inline void store_masked(__m512 v, float* y, Index n) {
    _mm512_mask_storeu_ps(y, static_cast<__mmask16>((1 << n) - 1), v);
}
inline void store_masked(__m512d v, double* y, Index n) {
    _mm512_mask_storeu_pd(y, static_cast<__mmask8>((1 << n) - 1), v);
}
#else
inline void copy_some(const Scalar* from, Scalar* to, Index n) {
#pragma GCC unroll 4
    for (Index size = kLanes / 2; size > 0; size /= 2) {
        if (!(n & size)) continue;
        __builtin_memcpy(to, from, static_cast<std::size_t>(size) * sizeof(Scalar));
        from += size;
        to += size;
    }
}
inline Vector load_masked(const Scalar* x, Index n, Vector rest) {
    copy_some(x, reinterpret_cast<Scalar*>(&rest), n);
    return rest;
}
inline void store_masked(Vector v, Scalar* y, Index n) {
    copy_some(reinterpret_cast<const Scalar*>(&v), y, n);
}
#endif

/// Loads the first n < kLanes numbers of x, and `rest` into the other lanes.
inline Vector load_some(const Scalar* x, Index n, Scalar rest) {
    return load_masked(x, n, broadcast(rest));
}

inline void store_some(Vector v, Scalar* y, Index n) {
    store_masked(v, y, n);
}

constexpr Scalar kInfinity = __builtin_inf();
// ln 2 in two parts. The first has nine bits, so that its products with whole numbers are exact.
constexpr Scalar kLn2High = 355.0L / 512;
constexpr Scalar kLn2Low = 0.693147180559945309417232121458L - 355.0L / 512;
constexpr Scalar kLog2E = 1.44269504088896340735992468100L;
constexpr int kMantissaBits = kIsFloat ? 23 : 52;
constexpr Bits kExponentBias = kIsFloat ? 127 : 1023;
// Adding this to a number leaves the nearest integer in the last bits.
constexpr Scalar kRounder = kIsFloat ? 0x1.8p23 : 0x1.8p52;
// exp(x) is 0 below the first and ∞ above the second. The first is the lowest x for which the power
// of two is a normal number.
constexpr Scalar kExpLow = kIsFloat ? -86.9 : -708.0;
constexpr Scalar kExpHigh = kIsFloat ? 88.72283 : 709.782712893384;

// The Taylor series r + r²/2! + … is exact to the last bit with 7 terms in float, 13 in double.
constexpr int kExpTerms = kIsFloat ? 7 : 13;
struct InverseFactorials {
    Scalar of[kExpTerms + 1] = {};

    constexpr InverseFactorials() {
        Scalar inverse = 1;
        for (int k = 2; k <= kExpTerms; ++k) inverse /= Scalar(k);
        for (int k = kExpTerms; k >= 2; inverse *= Scalar(k--)) of[k] = inverse;
    }
};
constexpr InverseFactorials kInverseFactorials;

/// x = n ln 2 + r with |r| ≤ ln 2 / 2: exp(x) = 2ⁿ (1 + q), q = exp(r) − 1.
struct SplitExp {
    Vector half_power;  // 2ⁿ⁻¹, since 2ⁿ itself may be too large
    Vector q;
};

inline SplitExp split_exp(Vector x) {
    const Vector rounded = x * kLog2E + kRounder;
    const Vector n = rounded - kRounder;
    const Vector r = (x - n * kLn2High) - n * kLn2Low;
    Vector p = broadcast(kInverseFactorials.of[kExpTerms]);
#pragma GCC unroll 16
    for (int k = kExpTerms - 1; k >= 2; --k) p = p * r + kInverseFactorials.of[k];
    const BitVector exponent = reinterpret_cast<BitVector>(rounded) + (kExponentBias - 1);
    return {reinterpret_cast<Vector>(exponent << kMantissaBits), r + r * r * p};
}

/// NaN stays NaN. Below `low` the result is exactly 0.
inline Vector exp(Vector x, Scalar low = kExpLow) {
    const SplitExp e = split_exp(x);
    const Vector y = (e.q * 2 + 2) * e.half_power;
    return x < low ? broadcast(0) : x > kExpHigh ? broadcast(kInfinity) : y;
}

/// tanh(x) = top / bottom, 1/2 < bottom ≤ 1.
struct TanhParts {
    Vector top, bottom;
};

inline TanhParts tanh_parts(Vector x) {
    // tanh|x| = −h / (1 + h),  h = (exp(−2|x|) − 1) / 2: no digits cancel near 0
    constexpr Bits sign_bit = Bits(1) << (8 * sizeof(Bits) - 1);
    constexpr Scalar least = kIsFloat ? -40 : -80;
    const BitVector bits = reinterpret_cast<BitVector>(x);
    const Vector z = 2 * reinterpret_cast<Vector>(bits | sign_bit);
    const SplitExp e = split_exp(z < least ? broadcast(least) : z);
    const Vector h = e.half_power * e.q + (e.half_power - Scalar(0.5));
    const BitVector top = reinterpret_cast<BitVector>(h) ^ (~bits & sign_bit);
    return {reinterpret_cast<Vector>(top), 1 + h};
}

inline Vector tanh(Vector x) {
    const TanhParts parts = tanh_parts(x);
    return parts.top / parts.bottom;
}

inline Vector sigmoid(Vector x) {
    const Vector y = 1 / (1 + exp(-x));
    return x < kExpLow ? broadcast(0) : y;
}

}  // namespace

}  // namespace headlight
