// The steps that change a text before it is split.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "text/subwords/aligned_text.h"
#include "text/subwords/character_map.h"
#include "text/subwords/text_pattern.h"
#include "text/subwords/unicode_forms.h"

namespace headlight {

/// BERT's: first control characters leave and blanks become spaces, then spaces stand around
/// Chinese characters, accents leave, capitals become small.
struct BertCleaning {
    bool cleans = true, isolates_ideographs = true, strips_accents = true, lowers_case = true;
};
struct FormChange {
    UnicodeForm form;
};
struct LowerCase {};
/// Blanks at the ends leave.
struct EndStripping {
    bool at_begin, at_end;
};
struct Replacement {
    TextPattern pattern;
    std::string content;
};
/// Before a text that is not empty.
struct Prefix {
    std::string text;
};
/// Each byte becomes its letter.
struct ByteLettering {};
struct CharacterMapping {
    std::shared_ptr<const CharacterMap> map;
};
/// SentencePiece's cleaning before there were tables: controls leave, odd blanks become spaces.
struct NmtCleaning {};

using TextNormalizer = std::variant<BertCleaning, FormChange, LowerCase, EndStripping, Replacement,
                                    Prefix, ByteLettering, CharacterMapping, NmtCleaning>;

void normalize_text(AlignedText& text, const TextNormalizer& normalizer);

/// Each byte as its letter; of a character's bytes the first takes its place.
void write_as_byte_letters(AlignedText& text);

}  // namespace headlight
