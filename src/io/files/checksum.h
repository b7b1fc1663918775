// A checksum for comparing bytes. It does not protect against deliberate collisions.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/bits.h"

namespace headlight {

constexpr std::uint64_t checksum(std::string_view bytes) {
    return fnv1a(bytes);
}

/// The number that checksum_text() has written; nothing if it is none.
inline std::optional<std::uint64_t> parse_checksum(std::string_view digits) {
    std::uint64_t sum = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, sum, 16);
    return error == std::errc() && rest == end ? std::optional(sum) : std::nullopt;
}

/// The checksum as 16 hexadecimal digits.
inline std::string checksum_text(std::uint64_t sum) {
    std::string text(16, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, sum >>= 4)
        *digit = "0123456789abcdef"[sum & 15];
    return text;
}

}  // namespace headlight
