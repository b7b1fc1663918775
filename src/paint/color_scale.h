// Colour scales: which of 256 colours a value gets.
#pragma once

#include "paint/figure.h"
#include "paint/theme.h"

namespace headlight {

/// Signed values: the theme's brown at −max_abs, its neutral at 0, its blue at max_abs.
ColorScale diverging_scale(const Theme& theme, Scalar max_abs);

/// From the ground of a card at `low` to `strongest` at `high`, in steps that look even.
ColorScale sequential_scale(const Theme& theme, Color strongest, Scalar low, Scalar high);

/// Ranks 0 … count − 1: `strongest` at 0, the ground of a card at the last one.
ColorScale rank_scale(const Theme& theme, Color strongest, Index count);

/// Brightness from black at 0 to white at 1, in every theme.
ColorScale intensity_scale(const Theme& theme);

/// round((v − low) / (high − low) · 255), clamped to 0 … 255; the same arithmetic as the shader.
/// v must not be NaN. A scale with low = high puts values up to `low` at 0, larger ones at 255.
int color_index(const ColorScale& scale, Scalar v);

/// NaN and −∞ have colours of their own; +∞ is the last colour.
Color color_of(const ColorScale& scale, Scalar v);

/// The largest finite magnitude, rounded up to a number that reads well in a legend (1, 1.2, 1.5,
/// 2, 2.5, 3, 4, 5, 6, 8 times a power of ten). 1 when there is nothing but zeros.
Scalar symmetric_limit(const Matrix& values);

}  // namespace headlight
