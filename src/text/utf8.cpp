// UTF-8 by the table of well-formed sequences; grapheme clusters by utf8proc.
#include "text/utf8.h"

#include <utf8proc.h>

#include "core/error.h"

namespace headlight {
namespace {

/// The properties of a first byte: how many bytes follow it, and the legal range of the next one.
/// All later ones are 80…BF [Unicode, table 3-7].
struct Promise {
    int n_following = -1;  // −1: no sequence begins with this byte
    unsigned char low = 0x80, high = 0xBF;
};

Promise first_byte_promise(unsigned char first) {
    if (first < 0x80) return {0};
    if (first < 0xC2) return {};
    if (first < 0xE0) return {1};
    if (first == 0xE0) return {2, 0xA0, 0xBF};
    if (first == 0xED) return {2, 0x80, 0x9F};
    if (first < 0xF0) return {2};
    if (first == 0xF0) return {3, 0x90, 0xBF};
    if (first < 0xF4) return {3};
    if (first == 0xF4) return {3, 0x80, 0x8F};
    return {};
}

}  // namespace

CodePoint decode_code_point(std::string_view text, std::size_t offset) {
    const auto first = static_cast<unsigned char>(text[offset]);
    auto [n_following, low, high] = first_byte_promise(first);
    if (n_following < 0) return {kReplacementCharacter, 1, false};
    if (n_following == 0) return {first, 1, true};

    char32_t value = first & (0x3Fu >> n_following);
    std::size_t size_bytes = 1;
    for (int k = 0; k < n_following; ++k, ++size_bytes) {
        if (offset + size_bytes >= text.size()) return {kReplacementCharacter, size_bytes, false};
        const auto byte = static_cast<unsigned char>(text[offset + size_bytes]);
        if (byte < low || byte > high) return {kReplacementCharacter, size_bytes, false};
        value = value << 6 | (byte & 0x3Fu);
        low = 0x80, high = 0xBF;
    }
    return {value, size_bytes, true};
}

std::string encode_code_point(char32_t code_point) {
    const bool is_surrogate = code_point >= 0xD800 && code_point < 0xE000;
    if (is_surrogate || code_point > 0x10FFFF) code_point = kReplacementCharacter;
    utf8proc_uint8_t bytes[4];
    const auto n_bytes = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes);
    return std::string(bytes, bytes + n_bytes);
}

std::size_t count_code_points(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t offset = 0; offset < text.size(); ++count)
        offset += decode_code_point(text, offset).size_bytes;
    return count;
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
    for (std::size_t offset = 0; offset < text.size();) {
        const CodePoint code_point = decode_code_point(text, offset);
        if (!code_point.is_valid) return offset;
        offset += code_point.size_bytes;
    }
    return std::nullopt;
}

void check_utf8(std::string_view text) {
    if (const auto offset = find_invalid_utf8(text))
        throw Error("text", "byte {} is not valid UTF-8; save the text as UTF-8", *offset);
}

std::string repair_utf8(std::string_view text) {
    std::string repaired;
    repaired.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const CodePoint code_point = decode_code_point(text, offset);
        if (code_point.is_valid)
            repaired += text.substr(offset, code_point.size_bytes);
        else
            repaired += encode_code_point(kReplacementCharacter);
        offset += code_point.size_bytes;
    }
    return repaired;
}

std::size_t grapheme_end(std::string_view text, std::size_t offset) {
    CodePoint last = decode_code_point(text, offset);
    std::size_t end = offset + last.size_bytes;
    utf8proc_int32_t state = 0;  // utf8proc's memory of flags and joined emoji
    while (end < text.size()) {
        const CodePoint next = decode_code_point(text, end);
        if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last.value),
                                             static_cast<utf8proc_int32_t>(next.value), &state))
            break;
        end += next.size_bytes;
        last = next;
    }
    return end;
}

std::size_t code_points_end(std::string_view text, std::size_t n) {
    std::size_t end = 0;
    while (n-- > 0 && end < text.size()) end += decode_code_point(text, end).size_bytes;
    return end;
}

namespace {

/// Returns the text with a sign in the place of each character that cannot be drawn.
std::string with_signs(std::string_view text) {
    std::string drawn;
    for (std::size_t offset = 0; offset < text.size();) {
        const CodePoint next = decode_code_point(text, offset);
        const char32_t c = next.value;
        if (c == '\t' || c == '\n' || !(is_control(c) || c == 0xFFFE || c == 0xFFFF))
            drawn += text.substr(offset, next.size_bytes);
        else
            drawn += encode_code_point(is_control(c) ? kControlSign : kReplacementCharacter);
        offset += next.size_bytes;
    }
    return drawn;
}

}  // namespace

std::string drawable_line(std::string_view text) {
    if (text.size() <= kMostLetterCodePoints) return with_signs(text);
    std::string line;
    std::size_t n_letters = 0;
    for (std::size_t offset = 0; offset < text.size();) {
        if (n_letters++ == kMostLineLetters) return line + "…";
        const std::size_t end = grapheme_end(text, offset);
        const std::string_view letter = text.substr(offset, end - offset);
        const std::string_view drawn =
            letter.substr(0, code_points_end(letter, kMostLetterCodePoints));
        line += with_signs(drawn);
        if (drawn.size() < letter.size()) line += "…";
        offset = end;
    }
    return line;
}

std::string shorten(std::string_view text, std::size_t max_code_points) {
    if (max_code_points == 0) return "";
    std::size_t kept_bytes = 0, kept_code_points = 0;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t end = grapheme_end(text, offset);
        kept_code_points += count_code_points(text.substr(offset, end - offset));
        if (kept_code_points > max_code_points)
            return std::string(text.substr(0, kept_bytes)) + "…";
        if (kept_code_points < max_code_points) kept_bytes = end;
        offset = end;
    }
    return std::string(text);
}

std::string lower_case(std::string_view text) {
    check_utf8(text);
    std::string lower;
    for (std::size_t offset = 0; offset < text.size();) {
        const CodePoint point = decode_code_point(text, offset);
        lower += encode_code_point(
            static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point.value))));
        offset += point.size_bytes;
    }
    return lower;
}

}  // namespace headlight
