// Turns a text into the characters whose glyphs are drawn for it, one after the other.
#include "ui/fonts/drawn_text.h"

#include <algorithm>
#include <string_view>
#include <utf8proc.h>

#include "text/utf8.h"
#include "ui/fonts/visual_order.h"

namespace headlight {
namespace {

// Returns the text without the characters for which keep(character) is false.
template <typename Keep>
std::string filtered(std::string_view utf8, Keep keep) {
    std::string kept;
    for (std::size_t offset = 0; offset < utf8.size();) {
        const CodePoint next = decode_code_point(utf8, offset);
        if (keep(next.value)) kept += encode_code_point(next.value);
        offset += next.size_bytes;
    }
    return kept;
}

bool is_ascii(std::string_view utf8) {
    return std::all_of(utf8.begin(), utf8.end(),
                       [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

// True for Default_Ignorable_Code_Point [Unicode, §5.21].
bool is_ignorable(char32_t character) {
    return utf8proc_get_property(static_cast<utf8proc_int32_t>(character))->ignorable;
}

std::string drawn_cluster(std::string_view cluster, const HasGlyph& has_glyph,
                          const LetterCode& letter_code) {
    const CodePoint first = decode_code_point(cluster, 0);
    for (const std::size_t size : {cluster.size(), first.size_bytes})
        if (const char32_t code = letter_code(cluster.substr(0, size)))
            return encode_code_point(code);
    // Ignorable characters decide how their neighbours join, so they stay until all are ordered.
    const auto is_drawable = [&](char32_t character) {
        return character < 0x80 || is_ignorable(character) || has_glyph(character);
    };
    if (!is_drawable(first.value)) return encode_code_point(kReplacementCharacter);
    return filtered(cluster, is_drawable);
}

}  // namespace

std::string drawn_text(const std::string& text, const HasGlyph& has_glyph,
                       const LetterCode& letter_code) {
    const std::string utf8 = drawable_line(text);
    if (is_ascii(utf8)) return utf8;
    std::string drawable;
    for (std::size_t offset = 0; offset < utf8.size();) {
        const std::size_t end = grapheme_end(utf8, offset);
        const std::string_view cluster = std::string_view(utf8).substr(offset, end - offset);
        drawable += drawn_cluster(cluster, has_glyph, letter_code);
        offset = end;
    }
    return filtered(visual_order(drawable),
                    [](char32_t character) { return !is_ignorable(character); });
}

}  // namespace headlight
