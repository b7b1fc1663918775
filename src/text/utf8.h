// UTF-8: checking, repairing, walking through code points and through the letters that a reader
// sees.
//
// Goals: no byte sequence crashes anything here; only check_utf8 throws.
// Not goals: normalisation, other encodings.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// The character that replaces bytes that are not UTF-8: �
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct CodePoint {
    char32_t value = 0;          // kReplacementCharacter if the bytes are not UTF-8
    std::size_t size_bytes = 0;  // at least 1: the next code point starts this much later
    bool is_valid = false;
};

/// Returns the code point that starts at `offset` < text.size(). Overlong forms, surrogates and
/// values above U+10FFFF are not UTF-8. Bad bytes are taken together as far as they began a legal
/// sequence [Unicode, §3.9 "U+FFFD substitution of maximal subparts"], as in browsers and Python.
CodePoint decode_code_point(std::string_view text, std::size_t offset);

/// Returns the bytes of one code point, or of � if it is not a code point.
std::string encode_code_point(char32_t code_point);

/// Returns each code point in lower case, where it has one. Throws Error if the text is not UTF-8.
std::string lower_case(std::string_view text);

/// Counts code points; bad bytes count as one where decode_code_point takes them together.
std::size_t count_code_points(std::string_view text);

/// Returns the offset of the first byte that is not UTF-8.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Throws Error with the offset (counted from 0) unless the whole text is UTF-8.
void check_utf8(std::string_view text);

/// Returns the same text with � where bytes were not UTF-8.
std::string repair_utf8(std::string_view text);

/// Returns the end of the grapheme cluster that starts at `offset` < text.size(): a letter with its
/// marks, an emoji with its skin tone, a family, a flag.
std::size_t grapheme_end(std::string_view text, std::size_t offset);

/// True of codes for devices, which no font draws: U+0000 to U+001F and U+007F to U+009F. [Unicode,
/// Cc]
constexpr bool is_control(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0);
}
inline constexpr char32_t kControlSign = U'▯';  // the sign of pictures for them

/// The most of a text that one line of a picture draws: this many letters, of this many code points
/// each; "…" replaces the rest. This keeps the glyphs within a window's list of triangles. Control
/// characters except tabs and line ends are ▯; noncharacters, which SVG cannot hold, are �.
inline constexpr std::size_t kMostLineLetters = 1000, kMostLetterCodePoints = 16;
std::string drawable_line(std::string_view text);

/// Returns the end of the first `n` code points of the text.
std::size_t code_points_end(std::string_view text, std::size_t n);

/// Returns at most `max_code_points`, cut between grapheme clusters; "…" at the end (and counted)
/// if something is missing. "" if there is not even room for that.
std::string shorten(std::string_view text, std::size_t max_code_points);

}  // namespace headlight
