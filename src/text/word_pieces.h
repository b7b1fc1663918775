// Finds out which of a tokenizer's pieces are one word.
//
// Goals: only the tokens are needed, so that recordings have words, too.
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

/// Returns the words, in the order of the text; every token is in one of them:
///   - WordPiece: "##ing" goes on with the word before it; so does the token after "go@@", and,
///     where some tokens end with "</w>", the token after one that does not;
///   - SentencePiece and byte-level BPE, whose tokens mark blanks (▁, Ġ): the text between two is
///     parted as split_words() does, so that a full stop is a word by itself and "didn't" is one;
///     a token that has parts of two words joins them, and a blank that is a token belongs to the
///     word after it;
///   - a special token is a word by itself, and keeps its name.
/// Where no token has such a mark, each is a word. `alike`: more tokens of the same tokenizer,
/// which show its marks where a short text has none.
std::vector<PieceWord> words_of_pieces(const std::vector<std::string>& tokens,
                                       const std::vector<std::string>& alike = {});

}  // namespace headlight
