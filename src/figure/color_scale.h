// Colour scales assign one of 256 colours to a value.
#pragma once

#include "core/trace.h"
#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

/// The ends of a scale whose colours also stand for values beyond them.
struct ClippedEnds {
    bool below = false, above = false;
};

/// Signed values: the theme's brown at −max_abs, its neutral at 0, its blue at max_abs.
ColorScale diverging_scale(const Theme& theme, Scalar max_abs);

/// Returns a scale from the background of a card at `low` to `strongest` at `high`, in steps that
/// look even.
ColorScale sequential_scale(const Theme& theme, Color strongest, Scalar low, Scalar high);

/// Ranks 0 … count − 1: `strongest` at 0, the background of a card at the last one.
ColorScale rank_scale(const Theme& theme, Color strongest, Index count);

/// Returns the scale of a mask that only opens and closes cells: 0 in the theme's neutral colour.
/// low = high = 0.
ColorScale open_scale(const Theme& theme);

/// Returns the position of a value along the colours, in [0,1]; the same arithmetic as the shader.
/// Linear: (v − low) / (high − low). Log: p = log(|v| / floor) / log(high / floor), clamped to
/// [0,1], where `low` is negative ½ ± p/2. v must not be NaN. A linear scale with low = high puts
/// values up to `low` at 0, larger ones at 1.
Scalar position_in(const ColorScale& scale, Scalar v);

/// Returns round(position · 255).
int color_index(const ColorScale& scale, Scalar v);

/// Returns a value's colour. NaN and −∞ have colours of their own; +∞ is the last colour.
Color value_color(const ColorScale& scale, Scalar v);

/// Returns the largest finite magnitude; 0 if all are zeros.
Scalar largest_magnitude(const Matrix& values);

/// Returns the largest magnitude, rounded up to a number that reads well in a legend (1, 1.2, 1.5,
/// 2, 2.5, 3, 4, 5, 6, 8 times a power of ten). 1 if all are zeros.
Scalar symmetric_limit(Scalar largest);
Scalar symmetric_limit(const Matrix& values);

/// Returns the usual scale of a tensor. Probabilities: 0 to 1 in the colour of the tensor's head.
/// Ranks: that colour is the first. Amounts: 0 to `limit`, signed values symmetric about 0: the
/// symmetric_limit() of the values.
ColorScale standard_scale(const Tensor& tensor, Scalar limit, const Theme& theme);

/// Returns the legend's words: "probability, linear", "signed, linear".
std::string scale_name(const Tensor& tensor);

/// True if such values may be negative, and so have diverging colours.
bool is_signed(Quantity quantity);

}  // namespace headlight
