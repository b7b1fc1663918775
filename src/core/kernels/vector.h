// Vector: the numbers that fit into one vector register.
//
// Only kernels include this. Everything is local to a source file: see kernels.h.
#pragma once

#include <cstdint>
#if defined(__SSE2__)
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

/// The first n < kLanes numbers of x, and `rest` in the other lanes.
inline Vector load_some(const Scalar* x, Index n, Scalar rest) {
    return load_masked(x, n, broadcast(rest));
}

inline void store_some(Vector v, Scalar* y, Index n) {
    store_masked(v, y, n);
}

}  // namespace
}  // namespace headlight
