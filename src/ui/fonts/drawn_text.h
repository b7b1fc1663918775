// Turns a text into the characters whose glyphs are drawn for it, one after the other.
//
// Goals: what a reader takes for one letter and no font has is one replacement character, however
// many characters make it up; nothing is drawn for joiners, variation selectors and the like.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace headlight {

using HasGlyph = std::function<bool(char32_t)>;

/// The character code that a letter is drawn with as a whole; 0: it is not.
using LetterCode = std::function<char32_t(std::string_view letter)>;

/// Returns one line, from left to right. A letter whose marks have no glyphs goes without them; a
/// line that is too long is cut as drawable_line does.
std::string drawn_text(
    const std::string& text, const HasGlyph& has_glyph,
    const LetterCode& letter_code = [](std::string_view) { return char32_t{0}; });

}  // namespace headlight
