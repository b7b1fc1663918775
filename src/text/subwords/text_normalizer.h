// The steps that change a text before it is split.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/subwords/aligned_text.h"
#include "text/subwords/text_pattern.h"

namespace headlight {

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

/// Returns the text in a normalisation form, as of Unicode 12: later characters stay as they are.
/// [Unicode, Annex 15]
std::vector<ChangedCharacter> unicode_form(std::string_view utf8, UnicodeForm form);

/// Returns each character in lower case by itself: a final Σ is σ, İ is i and a point above. As of
/// Unicode 17.
std::vector<ChangedCharacter> lower_case_characters(std::string_view utf8);

/// SentencePiece's precompiled table of replacements (nmt_nfkc of T5).
///
/// The table is a double array [darts-clone]: units of 32 bits with a label, a flag and an offset,
/// walked byte by byte; a search finds a place in the list of replacements.
class CharacterMap {
  public:
    /// Reads `bytes`: the length of the double array, the array itself, and the replacements, each
    /// ended by a zero. Throws std::invalid_argument with the reason if they are not that; an
    /// offset that leads out of the array ends a search.
    explicit CharacterMap(std::string_view bytes);

    /// Returns the text with all replacements: that of a whole grapheme cluster of less than 6
    /// bytes if there is one that begins like it, else character by character.
    std::vector<ChangedCharacter> apply(std::string_view utf8) const;

  private:
    /// Returns the replacement of `part`: that of the shortest key with which it begins.
    std::optional<std::string_view> find(std::string_view part) const;

    std::vector<std::uint32_t> units_;
    std::string replacements_;
};

/// BERT's cleaning: first control characters are removed and blanks become spaces, then spaces are
/// put around Chinese characters, accents are removed, capitals become small.
struct BertCleaning {
    bool cleans = true, isolates_ideographs = true, strips_accents = true, lowers_case = true;
};
struct FormChange {
    UnicodeForm form;
};
struct LowerCase {};
/// Removes blanks at the ends.
struct EndStripping {
    bool at_begin, at_end;
};
struct Replacement {
    TextPattern pattern;
    std::string content;
};
/// Puts a prefix before a text that is not empty.
struct Prefix {
    std::string text;
};
/// Replaces each byte by its letter.
struct ByteLettering {};
struct CharacterMapping {
    std::shared_ptr<const CharacterMap> map;
};
/// SentencePiece's cleaning before there were tables: it removes controls, and turns odd blanks
/// into spaces.
struct NmtCleaning {};

using TextNormalizer = std::variant<BertCleaning, FormChange, LowerCase, EndStripping, Replacement,
                                    Prefix, ByteLettering, CharacterMapping, NmtCleaning>;

void normalize_text(AlignedText& text, const TextNormalizer& normalizer);

/// Writes each byte as its letter; of a character's bytes the first takes its place.
void write_as_byte_letters(AlignedText& text);

}  // namespace headlight
