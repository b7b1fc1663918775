// The steps from pieces back to text.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "text/subwords/text_pattern.h"

namespace headlight {

/// Letters of bytes become the text of these bytes; bytes that are not UTF-8 become �.
struct ByteLevelDecoding {};
/// Pieces without the prefix follow a space; spaces before punctuation and such may leave.
struct WordPieceDecoding {
    enum class Spaces { AsTheyAre, CleanedUp };
    std::string prefix = "##";
    Spaces spaces = Spaces::CleanedUp;
};
/// The mark becomes a space, or nothing where the tokenizer put it before the text.
struct MetaspaceDecoding {
    enum class First { Space, Nothing };
    char32_t mark = U'▁';
    First first = First::Nothing;
};
/// In each piece.
struct ReplaceDecoding {
    TextPattern pattern;
    std::string content;
};
/// All pieces become one.
struct JoinDecoding {};
/// At most so many of this character leave at the ends of each piece.
struct StripDecoding {
    char32_t character;
    std::size_t n_begin, n_end;
};
/// <0xE2> and such in a row become text, or each � where they are not UTF-8.
struct ByteFallbackDecoding {};
/// The suffix of a word's end becomes a space, but not at the end of the text.
struct SuffixDecoding {
    std::string suffix;
};

using PieceDecoder =
    std::variant<ByteLevelDecoding, WordPieceDecoding, MetaspaceDecoding, ReplaceDecoding,
                 JoinDecoding, StripDecoding, ByteFallbackDecoding, SuffixDecoding>;

std::vector<std::string> decode_pieces(std::vector<std::string> pieces,
                                       const PieceDecoder& decoder);

/// The byte of "<0xE2>".
std::optional<unsigned char> find_fallback_byte(std::string_view piece);

}  // namespace headlight
