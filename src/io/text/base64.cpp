#include "io/text/base64.h"

#include <cstdint>

namespace headlight {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view three = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < three.size() ? static_cast<std::uint8_t>(three[k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= three.size() ? kLetters[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    for (int k = 0; k < 2 && text.ends_with('='); ++k) text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int n_bits = 0;
    for (const char letter : text) {
        const std::size_t value = kLetters.find(letter);
        if (value == std::string_view::npos) return std::nullopt;
        bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xFFFFFF;
        n_bits += 6;
        if (n_bits < 8) continue;
        n_bits -= 8;
        bytes += static_cast<char>(bits >> n_bits & 0xFF);
    }
    return bytes;
}

}  // namespace headlight
