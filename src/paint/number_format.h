// Numbers as short text, and the round numbers of a legend.
#pragma once

#include <string>
#include <vector>

#include "core/matrix.h"

namespace headlight {

/// At most `digits` decimals and about `digits` digits in all: "0.781", "−1.25", "27.9", "1203".
/// What would round to zero, or needs more than digits + 2 digits before the point, has an
/// exponent: "1.2e−5". An exact zero is "0"; then "−∞", "∞" and "NaN". The minus is U+2212.
/// The same text in every locale.
std::string format_value(Scalar value, int digits = 3);

/// The same with two significant digits at least, for numbers of a list, which shall differ: 0.0007
/// is "0.00070", where format_value has "0.001".
std::string format_listed(Scalar value);

/// With exactly `decimals` decimals, for numbers that stand in a grid: "0.04", "−1.25", "0.00" for
/// what rounds to zero whatever its sign, but "0" for an exact zero. Long numbers as format_value.
std::string format_cell(Scalar value, int decimals);

/// With three signs and a minus, where a cell is narrow: ".05", "−.72", "4.2", "28"; "1.0" for what
/// rounds to it, "0" for an exact zero.
std::string format_short_cell(Scalar value);

/// 1988 → "1,988"
std::string format_count(Index count);

/// About `count` round numbers (1, 2, 2.5 or 5 times a power of ten apart) in [low, high],
/// ascending. {low} if the range is empty or not finite.
std::vector<Scalar> ticks(Scalar low, Scalar high, int count);

/// A tick with as many decimals as the spacing of its ticks needs: "0", "0.25", "−2".
std::string format_tick(Scalar tick, const std::vector<Scalar>& all);

}  // namespace headlight
