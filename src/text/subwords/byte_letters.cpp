#include "text/subwords/byte_letters.h"

#include "text/subwords/aligned_text.h"

namespace headlight {
namespace {

constexpr char32_t kFirstOther = 0x100;

constexpr bool stands_for_itself(char32_t byte) {
    return (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte < 0x100 && byte != 0xAD);
}

}  // namespace

const std::array<char32_t, 256>& byte_letters() {
    static const std::array<char32_t, 256> letters = [] {
        std::array<char32_t, 256> made;
        char32_t next = kFirstOther;
        for (char32_t byte = 0; byte < made.size(); ++byte)
            made[byte] = stands_for_itself(byte) ? byte : next++;
        return made;
    }();
    return letters;
}

std::optional<unsigned char> find_byte(char32_t letter) {
    if (stands_for_itself(letter)) return static_cast<unsigned char>(letter);
    constexpr char32_t kLow = 33, kHigh = 34;  // 0 to 0x20, 0x7F to 0xA0
    if (letter < kFirstOther || letter > kFirstOther + kLow + kHigh) return std::nullopt;
    const char32_t n = letter - kFirstOther;
    return static_cast<unsigned char>(n < kLow ? n : n < kLow + kHigh ? 0x7F + n - kLow : 0xAD);
}

std::optional<std::string> find_bytes(std::string_view piece) {
    std::string bytes;
    for (const char32_t letter : code_points_in(piece)) {
        const auto byte = find_byte(letter);
        if (!byte) return std::nullopt;
        bytes += static_cast<char>(*byte);
    }
    return bytes;
}

}  // namespace headlight
