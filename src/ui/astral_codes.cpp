// Codes of 16 bits for what ImGui's text fields can neither hold nor draw.
#include <algorithm>

#include "text/utf8.h"
#include "ui/compat.h"

namespace headlight::compat {
namespace {

/// Calls visit(character) for each character; bytes that are not UTF-8 are U+FFFD.
template <typename Visit>
void for_each_character(std::string_view utf8, Visit visit) {
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint next = decode_code_point(utf8, at);
        visit(next.value);
        at += next.size_bytes;
    }
}

}  // namespace

std::string AstralCodes::encode(const std::string& utf8) {
    std::string encoded;
    const auto add = [&](char32_t character) { encoded += to_utf8(encode(character)); };
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t end = grapheme_end(utf8, at);
        const std::string_view letter = std::string_view(utf8).substr(at, end - at);
        const std::size_t drawn = code_points_end(letter, kMostLetterCodePoints);
        for_each_character(letter.substr(0, drawn), add);
        const std::string marks = repair_utf8(letter.substr(drawn));
        const char32_t code = marks.empty() ? 0 : find_or_add_code(marks);
        if (code == kReplacementCharacter) {
            for_each_character(marks, add);
        } else if (code != 0) {
            encoded += to_utf8(code);
        }
        at = end;
    }
    return encoded;
}

std::string AstralCodes::decode(const std::string& utf8) const {
    std::string decoded;
    for_each_character(utf8, [&](char32_t character) {
        const bool coded = character >= kFirst && character - kFirst < texts_.size();
        decoded += coded ? texts_[character - kFirst] : to_utf8(character);
    });
    return decoded;
}

char32_t AstralCodes::encode(char32_t character) {
    return character > 0xFFFF || is_code(character) ? find_or_add_code(to_utf8(character))
                                                    : character;
}

char32_t AstralCodes::find_or_add_code(const std::string& text) {
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    const auto place = static_cast<char32_t>(found - texts_.begin());
    if (found == texts_.end()) {
        if (texts_.size() > kLast - kFirst) return kReplacementCharacter;
        texts_.push_back(text);
    }
    return kFirst + place;
}

}  // namespace headlight::compat
