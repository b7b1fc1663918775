// Turns a text into the characters whose glyphs are drawn for it, in their order by FriBidi.
#include "ui/fonts/drawn_text.h"

#include <algorithm>
#include <fribidi.h>
#include <iterator>
#include <string_view>
#include <utf8proc.h>
#include <vector>

#include "text/utf8.h"
#include "ui/compat.h"

namespace headlight {
namespace {

using Characters = std::vector<FriBidiChar>;

// With these flags marks come before their letters: their glyphs are made to lie over the next one.
constexpr FriBidiFlags kFlags = FRIBIDI_FLAG_SHAPE_MIRRORING | FRIBIDI_FLAGS_ARABIC;

// These stand between query and key, or the ends of an edge: each end is a line of its own [UAX #9,
// HL4].
constexpr std::string_view kArrows[] = {" → ", " ← "};
constexpr std::size_t kArrowBytes = kArrows[0].size();

struct LetterRange {
    char32_t first, last;
};

// In these ranges Unicode has right-to-left letters, or keeps room for more.
constexpr LetterRange kRightToLeft[] = {
    {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFC}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};

bool is_right_to_left(char32_t character) {
    return character >= kRightToLeft[0].first &&
           std::any_of(std::begin(kRightToLeft), std::end(kRightToLeft),
                       [&](const LetterRange& range) {
                           return character >= range.first && character <= range.last;
                       });
}

Characters decode_characters(std::string_view utf8) {
    Characters characters;
    for (std::size_t offset = 0; offset < utf8.size();) {
        const CodePoint next = decode_code_point(utf8, offset);
        characters.push_back(next.value);
        offset += next.size_bytes;
    }
    return characters;
}

// False if there is no memory for it.
bool shape_and_reorder(Characters& line) {
    const auto n = static_cast<FriBidiStrIndex>(line.size());
    std::vector<FriBidiCharType> types(line.size());
    std::vector<FriBidiBracketType> brackets(line.size());
    std::vector<FriBidiLevel> levels(line.size());
    std::vector<FriBidiArabicProp> joining(line.size());
    FriBidiParType direction = FRIBIDI_PAR_ON;

    fribidi_get_bidi_types(line.data(), n, types.data());
    for (std::size_t k = 0; k < line.size();
         ++k)  // mostly emoji, which go with what is around them
        if (compat::PrivateUseCodes::is_code(line[k])) types[k] = FRIBIDI_TYPE_ON;
    fribidi_get_bracket_types(line.data(), n, types.data(), brackets.data());
    if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), n, &direction,
                                            levels.data()) == 0)
        return false;
    fribidi_get_joining_types(line.data(), n, joining.data());
    fribidi_join_arabic(types.data(), n, levels.data(), joining.data());
    fribidi_shape(kFlags, levels.data(), n, joining.data(), line.data());
    return fribidi_reorder_line(kFlags, types.data(), n, 0, direction, levels.data(), line.data(),
                                nullptr) != 0;
}

std::size_t find_arrow(std::string_view utf8) {
    return std::min(utf8.find(kArrows[0]), utf8.find(kArrows[1]));
}

std::string ordered_line(std::string_view utf8) {
    Characters line = decode_characters(utf8);
    if (line.empty() || !shape_and_reorder(line)) return std::string(utf8);
    std::string ordered;
    for (FriBidiChar character : line) {
        // The second letter of a ligature leaves this in its place.
        if (character != FRIBIDI_CHAR_FILL) ordered += encode_code_point(character);
    }
    return ordered;
}

}  // namespace

bool has_right_to_left(const std::string& utf8) {
    for (std::size_t offset = 0; offset < utf8.size();) {
        const CodePoint next = decode_code_point(utf8, offset);
        if (is_right_to_left(next.value)) return true;
        offset += next.size_bytes;
    }
    return false;
}

bool runs_right_to_left(const std::string& utf8) {
    const Characters line = decode_characters(utf8);
    const auto n = static_cast<FriBidiStrIndex>(line.size());
    std::vector<FriBidiCharType> types(line.size());
    fribidi_get_bidi_types(line.data(), n, types.data());
    return fribidi_get_par_direction(types.data(), n) == FRIBIDI_PAR_RTL;
}

std::string visual_order(const std::string& utf8) {
    if (!has_right_to_left(utf8)) return utf8;
    std::string_view rest = utf8;
    std::string ordered;
    for (auto at = find_arrow(rest); at != rest.npos; at = find_arrow(rest)) {
        ordered += ordered_line(rest.substr(0, at));
        ordered += rest.substr(at, kArrowBytes);
        rest.remove_prefix(at + kArrowBytes);
    }
    return ordered + ordered_line(rest);
}

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
    const bool is_ascii = std::ranges::all_of(utf8, [](unsigned char byte) { return byte < 0x80; });
    if (is_ascii) return utf8;
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
