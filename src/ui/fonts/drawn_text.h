// Turns a text into the characters whose glyphs are drawn for it, one after the other, by programs
// that can only draw from left to right.
//
// Goals: the order of the Unicode bidirectional algorithm, as in the exported figures; Arabic
// letters joined. What a reader takes for one letter and no font has is one replacement character,
// however many characters make it up; nothing is drawn for joiners, variation selectors and the
// like.
// Not goals: more than one line, other scripts whose letters change their shapes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace headlight {

/// Returns the characters of one line in the order in which they are drawn, Arabic letters in their
/// presentation forms, brackets mirrored; the first letter decides the direction of the line. The
/// words around " → " or " ← " keep their sides, so that the arrow means the same. Text without
/// right-to-left characters is returned as it is, after a single scan.
std::string visual_order(const std::string& utf8);

/// True if any character of the text goes from right to left; the second one, if the line does.
bool has_right_to_left(const std::string& utf8);
bool runs_right_to_left(const std::string& utf8);

using HasGlyph = std::function<bool(char32_t)>;

/// The character code that a letter is drawn with as a whole; 0: it is not.
using LetterCode = std::function<char32_t(std::string_view letter)>;

/// Returns one line, from left to right. A letter whose marks have no glyphs goes without them; a
/// line that is too long is cut as drawable_line does.
std::string drawn_text(
    const std::string& text, const HasGlyph& has_glyph,
    const LetterCode& letter_code = [](std::string_view) { return char32_t{0}; });

}  // namespace headlight
