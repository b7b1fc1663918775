// The steps from pieces back to text.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "text/subwords/text_pattern.h"

namespace headlight {

/// Replaces letters of bytes by the text of these bytes; bytes that are not UTF-8 become �.
struct ByteLevelDecoding {};
/// Puts a space before pieces without the prefix; spaces before punctuation and such may be
/// removed.
struct WordPieceDecoding {
    std::string prefix = "##";
    bool cleans_up_spaces = true;
};
/// Replaces the mark by a space, or by nothing where the tokenizer put it before the text.
struct MetaspaceDecoding {
    char32_t mark = U'▁';
    bool drops_first = true;  // the mark where the text begins
};
/// Replaces a text in each piece.
struct ReplaceDecoding {
    TextPattern pattern;
    std::string content;
};
/// Joins all pieces into one.
struct JoinDecoding {};
/// Removes at most so many of this character at the ends of each piece.
struct StripDecoding {
    char32_t character;
    std::size_t n_begin, n_end;
};
/// Replaces <0xE2> and such in a row by text, or each by � where they are not UTF-8.
struct ByteFallbackDecoding {};
/// Replaces the suffix of a word's end by a space, except at the end of the text.
struct SuffixDecoding {
    std::string suffix;
};

using PieceDecoder =
    std::variant<ByteLevelDecoding, WordPieceDecoding, MetaspaceDecoding, ReplaceDecoding,
                 JoinDecoding, StripDecoding, ByteFallbackDecoding, SuffixDecoding>;

std::vector<std::string> decode_pieces(std::vector<std::string> pieces,
                                       const PieceDecoder& decoder);

/// Returns the byte of "<0xE2>".
std::optional<unsigned char> find_fallback_byte(std::string_view piece);

}  // namespace headlight
