// Numbers in the words of an explanation.
#pragma once

#include <charconv>
#include <string>

#include "core/scalar.h"

namespace headlight {

/// Four digits, the same in every locale: "0.125", "−4", "1.5e+06". The minus is U+2212.
inline std::string short_number(Scalar x) {
    char text[32];
    const char* end = std::to_chars(text, text + sizeof text, static_cast<double>(x),
                                    std::chars_format::general, 4)
                          .ptr;
    const std::string digits(static_cast<const char*>(text), end);
    return digits.starts_with('-') ? "−" + digits.substr(1) : digits;
}

}  // namespace headlight
