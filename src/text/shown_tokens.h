// How tokens are written in pictures: what cannot be seen gets a sign.
//
// Goals: a reader tells a blank, a line break and an empty token from each other and from nothing.
// Not goals: changing the token; files, scripts and commands have it as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// True of ␣ ⏎ ⇥ ∅, ↵ and ▯ (other control characters): pictures draw these fainter.
bool is_sign_of_unseen(char32_t character);

/// As opaque as this, of 1, where a text is opaque.
inline constexpr float kSignOpacity = 0.6f;

/// Where signs stand in a text: bytes from `begin` to before `end`, ascending.
struct ByteRange {
    std::size_t begin, end;
};
std::vector<ByteRange> signs_in(std::string_view utf8);

/// Blanks at either end are ␣, a line break anywhere is ⏎, a tab ⇥, an empty name ∅.
std::string shown_name(std::string_view name);

/// The same of all of them; empty if none is written otherwise than it is.
std::vector<std::string> shown_names(const std::vector<std::string>& names);

/// Of tokens of a tokenizer, whose own marks are undone before: "Ġthe" and "▁the" are "␣the", "Ċ"
/// and "<0x0A>" are "⏎". Ġ is taken for a mark only if all tokens are spelled as byte-level BPE
/// does [GPT-2, bytes_to_unicode]; then "Ã©" is "é" as well.
std::vector<std::string> shown_tokens(const std::vector<std::string>& tokens);

}  // namespace headlight
