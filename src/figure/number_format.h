// Numbers as short text, and the round numbers of a legend.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/matrix.h"

namespace headlight {

/// Writes at most `digits` decimals and about `digits` digits in all: "0.781", "−1.25", "27.9",
/// "1203". A number that would round to zero, or needs more than digits + 2 digits before the
/// point, has an exponent: "1.2e−5". An exact zero is "0"; then "−∞", "∞" and "NaN". The minus is
/// U+2212. The text is the same in every locale.
std::string format_value(Scalar value, int digits = 3);

/// Writes at least two significant digits, for the numbers of a list, which should differ: 0.0007
/// is "0.00070", where format_value has "0.001". Where no number of the list is larger than 1, as
/// of probabilities, 1 has the decimals of the others: "1.000".
std::string format_listed(Scalar value, Scalar largest);

/// Returns the number that a reader sees in format_value's text.
double as_read(Scalar value, int digits);

/// Returns the fewest digits, at most two more than `fewest`, with which a reader who computes from
/// the written numbers gets what is written as the result. Nothing if there are none.
/// `compute`: the reader's result, of numbers that are written with so many digits.
std::optional<int> digits_for(const std::string& result, int result_digits, int fewest,
                              const std::function<double(int digits)>& compute);

/// Writes exactly `decimals` decimals, for numbers that stand in a grid: "0.04", "−1.25", "0.00"
/// for a number that rounds to zero whatever its sign, but "0" for an exact zero. Long numbers are
/// as in format_value.
std::string format_cell(Scalar value, int decimals);

/// Writes exactly `decimals` decimals, however long the number gets: "−12.340". A number that
/// rounds to zero has no sign; an exact zero is "0".
std::string format_fixed(Scalar value, int decimals);

/// Writes three signs and a minus, for narrow cells: ".05", "−.72", "4.2", "28"; "1.0" for a number
/// that rounds to it, "0" for an exact zero.
std::string format_short_cell(Scalar value);

/// Writes 1988 as "1,988".
std::string format_count(Index count);

/// Returns about `count` round numbers (1, 2, 2.5 or 5 times a power of ten apart) in [low, high],
/// ascending. {low} if the range is empty or not finite.
std::vector<Scalar> ticks(Scalar low, Scalar high, int count);

/// Writes a tick with as many decimals as the spacing of its ticks needs: "0", "0.25", "−2".
std::string format_tick(Scalar tick, const std::vector<Scalar>& all);

}  // namespace headlight
