// Tokens that are found in a text before it is split: <|endoftext|>, [CLS], and words that were
// added to a vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/subwords/piece_table.h"

namespace headlight {

struct AddedToken {
    PieceId id = 0;
    std::string content;
    bool is_single_word = false;                     // not next to a letter or digit
    bool strips_left = false, strips_right = false;  // takes the blanks beside it
    bool is_normalized = false;                      // found in the normalised text
    bool is_special = false;                         // no text: decoding may leave it out
};

/// A part of a text: a token, or what is between tokens.
struct AddedTokenPart {
    std::size_t begin = 0, end = 0;
    const AddedToken* token = nullptr;  // null: none
};

enum class SpecialInText { Recognised, PlainText };

/// Finds tokens from the left, the longest first.
class AddedTokenFinder {
  public:
    AddedTokenFinder() = default;
    /// Finds `token` where `spelling` stands, which is not empty; false if another one stands
    /// there. The token must outlive the finder.
    bool add(const AddedToken& token, std::string_view spelling);

    /// The parts of a text, in order. A token that takes blanks may begin before the one before it
    /// ends.
    std::vector<AddedTokenPart> parts_in(std::string_view utf8, SpecialInText special) const;

  private:
    struct Match {
        std::size_t end = 0;  // 0: none
        const AddedToken* token = nullptr;
    };
    Match longest_at(std::string_view utf8, std::size_t begin) const;

    NumberTable edges_;  // of a trie: node and byte → node
    std::vector<const AddedToken*> leaves_ = {nullptr};
    bool begins_[256] = {};
};

}  // namespace headlight
