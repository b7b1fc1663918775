// Functions of every number of a row.
#include "core/kernels/kernels.h"
#include "core/kernels/vector.h"

namespace headlight {
namespace {

template <typename Function>
void each(const Scalar* x, Scalar* y, Index n, Function f) {
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) store(f(load(x + i)), y + i);
    if (i < n) store_some(f(load_some(x + i, n - i, 0)), y + i, n - i);
}

/// The normal distribution: Φ(x), and its density without the constant factor.
struct Normal {
    Vector below;  // Φ(x)
    Vector bell;   // exp(−x²/2)
};

Normal normal(Vector x) {
    const Vector bell = exp(Scalar(-0.5) * x * x);
    if constexpr (kIsFloat) {
        // 1 − Φ(|x|) = exp(−x²/2) t P(t), t = 1 / (1 + |x|/4); fitted to a relative 1.2e-8
        constexpr Scalar P[] = {0.0149936323,  -0.054129511, 0.0311430443, 0.0560126943,
                                -0.0104550662, 0.0992457237, 0.0675812657, 0.096480224,
                                0.0993738123,  0.0997541828};
        const Vector t = 1 / (1 + Scalar(0.25) * (x < 0 ? -x : x));
        Vector p = broadcast(P[0]);
        for (int k = 1; k < 10; ++k) p = p * t + P[k];
        const Vector above = bell * t * p;
        return {x < 0 ? above : 1 - above, bell};
    } else {
        Vector below;
        for (Index i = 0; i < kLanes; ++i)
            below[i] = __builtin_erfc(x[i] * Scalar(-0.70710678118654752440)) / 2;
        return {below, bell};
    }
}

// (1 + tanh u) / 2 = sigmoid(2u)
constexpr Scalar kTanhScale = 2 * 0.79788456080286535588;  // 2 √(2/π)
constexpr Scalar kTanhCube = 0.044715;

Vector gelu_gate(Vector x) {
    return sigmoid(kTanhScale * (x + kTanhCube * x * x * x));
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void copy_past_caches(const Scalar* from, Scalar* to, Index n) {
    constexpr std::uintptr_t kBytes = sizeof(Vector);
    const auto over = reinterpret_cast<std::uintptr_t>(to) % kBytes;
    Index i = over == 0 ? 0 : static_cast<Index>((kBytes - over) / sizeof(Scalar));
    if (i > n) i = n;
    __builtin_memcpy(to, from, static_cast<std::size_t>(i) * sizeof(Scalar));
    for (; i + kLanes <= n; i += kLanes) store_past_caches(load(from + i), to + i);
    __builtin_memcpy(to + i, from + i, static_cast<std::size_t>(n - i) * sizeof(Scalar));
    finish_stores();
}

void copy_rows(const RowCopy& copy, Index rows, Index n) {
    for (Index i = 0; i < rows; ++i)
        each(copy.from + i * copy.from_step, copy.to + i * copy.to_step, n,
             [](Vector v) { return v; });
}

void exp_row(const Scalar* x, Scalar* y, Index n) {
    each(x, y, n, [](Vector v) { return exp(v); });
}

void tanh_row(const Scalar* x, Scalar* y, Index n) {
    each(x, y, n, [](Vector v) { return tanh(v); });
}

void sigmoid_row(const Scalar* x, Scalar* y, Index n) {
    each(x, y, n, [](Vector v) { return sigmoid(v); });
}

void gelu_row(const Scalar* x, Scalar* y, Index n) {
    each(x, y, n, [](Vector v) { return v * normal(v).below; });
}

void gelu_tanh_row(const Scalar* x, Scalar* y, Index n) {
    each(x, y, n, [](Vector v) { return v * gelu_gate(v); });
}

void gelu_slope_row(const Scalar* x, Scalar* dy, Index n) {
    // d/dx x Φ(x) = Φ(x) + x φ(x)
    each(x, dy, n, [](Vector v) {
        const Normal at = normal(v);
        return at.below + v * at.bell * Scalar(0.39894228040143267794);
    });
}

void gelu_tanh_slope_row(const Scalar* x, Scalar* dy, Index n) {
    // d/dx x g(u(x)) = g + x g (1 − g) u'; beyond ±40 g is 0 or 1, and the square could overflow
    each(x, dy, n, [](Vector v) {
        const Vector x = v < -40 ? broadcast(-40) : v > 40 ? broadcast(40) : v;
        const Vector g = gelu_gate(x);
        return g + x * g * (1 - g) * kTanhScale * (1 + 3 * kTanhCube * x * x);
    });
}

void silu_row(const Scalar* x, Scalar* y, Index n) {
    each(x, y, n, [](Vector v) { return v * sigmoid(v); });
}

void silu_slope_row(const Scalar* x, Scalar* dy, Index n) {
    // d/dx x σ(x) = σ + x σ (1 − σ); beyond ±90 σ is 0 or 1, and 0 · ∞ would be NaN
    each(x, dy, n, [](Vector v) {
        const Vector x = v < -90 ? broadcast(-90) : v > 90 ? broadcast(90) : v;
        const Vector s = sigmoid(x);
        return s + x * s * (1 - s);
    });
}

void relu_row(const Scalar* x, Scalar* y, Index n) {
    each(x, y, n, [](Vector v) { return v < 0 ? broadcast(0) : v; });  // NaN stays NaN
}

void pull_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n) {
    Index i = 0;
    const auto pulled = [](Vector x, Vector dy) { return x > 0 ? dy : broadcast(0); };
    for (; i + kLanes <= n; i += kLanes) store(pulled(load(x + i), load(dy + i)), dx + i);
    const Index rest = n - i;
    if (rest > 0)
        store_some(pulled(load_some(x + i, rest, 0), load_some(dy + i, rest, 0)), dx + i, rest);
}

void leaky_relu_row(const Scalar* x, Scalar* y, Index n, Scalar slope) {
    each(x, y, n, [slope](Vector v) { return v > 0 ? v : slope * v; });
}

void pull_leaky_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n, Scalar slope) {
    const auto pulled = [slope](Vector x, Vector dy) {
        return x > 0 ? dy : slope == 0 ? Vector{} : slope * dy;  // 0 · ∞ would be NaN
    };
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes)
        store(load(dx + i) + pulled(load(x + i), load(dy + i)), dx + i);
    const Index rest = n - i;
    if (rest > 0)
        store_some(load_some(dx + i, rest, 0) +
                       pulled(load_some(x + i, rest, 0), load_some(dy + i, rest, 0)),
                   dx + i, rest);
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
