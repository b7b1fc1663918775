// Which of a tokenizer's pieces are one word.
//
// Goals: told by the tokens alone, so that recordings have words, too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headlight {

/// A word, and the tokens that it consists of, one after the other.
struct PieceWord {
    std::string word;  // as it is written, without the tokenizer's marks
    std::size_t first = 0, count = 1;

    bool operator==(const PieceWord&) const = default;
};

/// Every token is in one of the words, which are in the order of the text:
///   - WordPiece: "##ing" goes on with the word before it; so does what follows "go@@", and where
///     some tokens end with "</w>" what follows one that does not;
///   - SentencePiece and byte-level BPE, whose tokens mark blanks (▁, Ġ): what lies between two is
///     parted as split_words() does, so that a full stop is a word by itself and "didn't" is one;
///     a token that has parts of two words joins them, and a blank that is a token belongs to the
///     word behind it;
///   - a special token is a word by itself, and keeps its name.
/// Where no token has such a mark, each is a word. `alike`: more tokens of the same tokenizer,
/// which show its marks where a short text has none.
std::vector<PieceWord> words_of_pieces(const std::vector<std::string>& tokens,
                                       const std::vector<std::string>& alike = {});

}  // namespace headlight
