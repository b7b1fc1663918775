// Elementary functions of a vector.
//
// Only kernels include this. Everything is local to a source file: see kernels.h.
#pragma once

#include "core/kernels/vector.h"

namespace headlight {
namespace {

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
