#include "io/arrays/stored_path.h"

#include <charconv>
#include <string_view>

#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kScheme = "file:";
constexpr std::string_view kHexDigits = "0123456789ABCDEF";

bool stands_for_itself(unsigned char byte) {
    return byte > ' ' && byte < 0x7F && byte != '%';
}

}  // namespace

std::string stored_path(const std::filesystem::path& path) {
    const std::string& bytes = path.native();
    if (!find_invalid_utf8(bytes) && !bytes.starts_with(kScheme)) return bytes;
    std::string text(kScheme);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (stands_for_itself(byte))
            text += c;
        else
            text += {'%', kHexDigits[byte / 16], kHexDigits[byte % 16]};
    }
    return text;
}

std::filesystem::path path_from_stored(const std::string& text) {
    if (!text.starts_with(kScheme)) return text;
    std::string bytes;
    for (std::size_t at = kScheme.size(); at < text.size(); ++at) {
        unsigned int byte = 0;
        const char* const digits = text.data() + at + 1;
        const bool is_coded = text[at] == '%' && at + 2 < text.size() &&
                              std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        bytes += is_coded ? static_cast<char>(byte) : text[at];
        if (is_coded) at += 2;
    }
    return bytes;
}

}  // namespace headlight
