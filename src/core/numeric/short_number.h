// Numbers as people write them: short in explanations, and as decimals in settings.
#pragma once

#include <charconv>
#include <string>

#include "core/scalar.h"

namespace headlight {

/// Writes four digits, the same in every locale: "0.125", "−4", "1.5e+06". The minus is U+2212.
inline std::string short_number(Scalar x) {
    char text[32];
    const char* end = std::to_chars(text, text + sizeof text, static_cast<double>(x),
                                    std::chars_format::general, 4)
                          .ptr;
    const std::string digits(static_cast<const char*>(text), end);
    return digits.starts_with('-') ? "−" + digits.substr(1) : digits;
}

/// Writes the fewest digits from which the same number is read again.
template <typename Number>
std::string fewest_digits(Number x) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

/// Returns the double nearest to the shortest decimal that gives this float: 1e-5, not
/// 9.99999975e-06.
double decimal(float x);

}  // namespace headlight
