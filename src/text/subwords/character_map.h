// CharacterMap: SentencePiece's precompiled table of what is replaced by what (nmt_nfkc of T5).
//
// The table is a double array [darts-clone]: units of 32 bits with a label, a flag and an offset,
// walked byte by byte; what it finds is a place in the list of replacements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/subwords/aligned_text.h"

namespace headlight {

class CharacterMap {
  public:
    /// `bytes`: the length of the double array, it, and the replacements, each ended by a zero.
    /// Throws std::invalid_argument with the reason if they are not that; an offset that leads
    /// out of the array ends a search.
    explicit CharacterMap(std::string_view bytes);

    /// The text with all replacements: of a whole grapheme cluster of less than 6 bytes if there is
    /// one that begins like it, else character by character.
    std::vector<ChangedCharacter> apply(std::string_view utf8) const;

  private:
    /// What replaces `part`: that of the shortest key with which it begins.
    std::optional<std::string_view> find(std::string_view part) const;

    std::vector<std::uint32_t> units_;
    std::string replacements_;
};

}  // namespace headlight
