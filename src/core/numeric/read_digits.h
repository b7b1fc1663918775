// Digits become numbers, whatever the standard library can do.
#pragma once

#include <charconv>
#include <type_traits>
#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>
#endif

namespace headlight {

/// Reads a number as std::from_chars does: in the C locale, without blanks and a leading plus.
/// `number` keeps its value if there is none in the text, or if it is out of range.
template <typename Number>
std::from_chars_result read_digits(const char* begin, const char* end, Number& number) {
#ifndef __cpp_lib_to_chars
    if constexpr (std::is_floating_point_v<Number>) {
        Number read = 0;
        const auto [rest, failure] = fast_float::from_chars(begin, end, read);
        if (failure == std::errc()) number = read;
        return {rest, failure};
    } else {
        return std::from_chars(begin, end, number);
    }
#else
    return std::from_chars(begin, end, number);
#endif
}

}  // namespace headlight
