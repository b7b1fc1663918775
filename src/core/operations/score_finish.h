// The last step of many scores, in words: the factor of the sum.
#pragma once

#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "core/numeric/read_digits.h"
#include "core/numeric/short_number.h"
#include "core/operation.h"

namespace headlight {

/// True if a reader can take the number as it is written: three digits give it exactly.
inline bool is_round(double x) {
    char text[32];
    const auto [end, failure] =
        std::to_chars(text, text + sizeof text, x, std::chars_format::general, 3);
    double read = 0;
    read_digits(text, end, read);
    return failure == std::errc() && std::abs(read - x) <= 1e-5 * std::abs(x);
}

/// Writes the divisor of a sum, 1 / scale: "√8", "8", "(√8 · 0.7)", "1.98". d: numbers of a vector,
/// 0 where their root has no part in it.
inline std::string divisor_text(Scalar scale, Index d) {
    const double divisor = 1 / static_cast<double>(scale), root = std::sqrt(static_cast<double>(d));
    const std::string root_text = fmt::format("√{}", d);
    if (d > 0 && std::abs(divisor / root - 1) < 1e-5) return root_text;
    if (!is_round(divisor) && d > 0 && is_round(divisor / root))
        return fmt::format("({} · {})", root_text,
                           short_number(static_cast<Scalar>(divisor / root)));
    return short_number(static_cast<Scalar>(divisor));
}

/// Adds "÷ √d", or another divisor, which leads to `value`; nothing where scale = 1.
inline void finish_scaled(Explanation& explanation, Scalar scale, Index d, Scalar value) {
    if (scale == 1) return;
    const std::string divisor = divisor_text(scale, d);
    explanation.rule += divisor.starts_with("√") ? " / √d" : " / " + divisor;
    explanation.finish.push_back({"÷ " + divisor, value});
}

}  // namespace headlight
