// Functions of every number of a row, with the widest vector instructions of the processor.
//
// Goals: the result for a number does not depend on its place in the row. In float, the error is at
// most 3 units in the last place; for the GELUs, where digits cancel for x < 0, at most 10⁻⁶.
// −∞, +∞ and NaN are legal. `y` may be `x`.
#pragma once

#include "core/scalar.h"

namespace headlight {

/// Copies results too large to stay in the caches: memory is written without being read first. The
/// two must not overlap.
void copy_past_caches(const Scalar* from, Scalar* to, Index n);

/// Rows of numbers, `row_step` apart, that are copied to others.
struct RowCopy {
    const Scalar* from;
    Index from_step;
    Scalar* to;
    Index to_step;
};
/// Copies the first n numbers of so many rows.
void copy_rows(const RowCopy& copy, Index rows, Index n);

/// The scores of one head in lists, and the place for their softmax, which must be another one.
struct ListScores {
    const Scalar* s;
    Scalar* a;
};

/// y = exp(x); exactly 0 where that would be below the smallest normal number.
void exp_row(const Scalar* x, Scalar* y, Index n);

void tanh_row(const Scalar* x, Scalar* y, Index n);

/// y = 1 / (1 + exp(−x))
void sigmoid_row(const Scalar* x, Scalar* y, Index n);

/// y = x Φ(x), Φ(x) = (1 + erf(x / √2)) / 2                              [Hendrycks & Gimpel 2016]
void gelu_row(const Scalar* x, Scalar* y, Index n);
/// y = x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2                          [the same, section 2]
void gelu_tanh_row(const Scalar* x, Scalar* y, Index n);

/// y = x / (1 + exp(−x))                                                 [Hendrycks & Gimpel 2016]
void silu_row(const Scalar* x, Scalar* y, Index n);
void silu_slope_row(const Scalar* x, Scalar* dy, Index n);

/// dy = the derivative of the two GELUs at x.
void gelu_slope_row(const Scalar* x, Scalar* dy, Index n);
void gelu_tanh_slope_row(const Scalar* x, Scalar* dy, Index n);

/// y = x where x ≥ 0, else 0; NaN stays NaN.
void relu_row(const Scalar* x, Scalar* y, Index n);
/// dx = dy where x > 0, else 0, even where dy = ∞
void pull_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n);

/// y = x where x > 0, else slope · x
void leaky_relu_row(const Scalar* x, Scalar* y, Index n, Scalar slope);
/// dx += dy where x > 0, else dx += slope · dy; a slope of 0 adds nothing, even where dy = ∞
void pull_leaky_relu_row(const Scalar* x, const Scalar* dy, Scalar* dx, Index n, Scalar slope);

/// S(i,j) = scale · Σ_d v(d) tanh(a(i,d) + b(j,d))                          [Bahdanau 2015]
/// The n_query × n_key × width summands exist only in registers.
struct AdditiveScores {
    const Scalar* a;  // n_query × width, contiguous rows
    const Scalar* b;  // n_key × width
    const Scalar* v;  // width
    Index n_query, n_key, width;
    Scalar scale = 1;
};
void additive_scores(const AdditiveScores& scores, Scalar* S);

}  // namespace headlight
