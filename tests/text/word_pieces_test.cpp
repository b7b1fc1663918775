#include "text/word_pieces.h"

#include <doctest/doctest.h>

namespace headlight::word_pieces_test {
namespace {

using Tokens = std::vector<std::string>;

/// The words, each with the number of its tokens where there are several: "unbelievable·3".
Tokens words(const Tokens& tokens) {
    Tokens result;
    std::size_t next = 0;
    for (const PieceWord& word : words_of_pieces(tokens)) {
        CHECK(word.first == next);
        next = word.first + word.count;
        result.push_back(word.word +
                         (word.count > 1 ? "·" + std::to_string(word.count) : std::string()));
    }
    CHECK(next == tokens.size());
    return result;
}

}  // namespace

TEST_CASE("words_of_pieces: WordPiece goes on with ##") {
    CHECK(words({"[CLS]", "un", "##believ", "##able", "!", "[SEP]"}) ==
          Tokens{"[CLS]", "unbelievable·3", "!", "[SEP]"});
    // Nothing goes on a special token, and ## alone is two marks.
    CHECK(words({"[CLS]", "##a", "##b", "##"}) == Tokens{"[CLS]", "##ab·2", "##"});
    CHECK(words({"##a", "b"}) == Tokens{"##a", "b"});
}

TEST_CASE("words_of_pieces: SentencePiece parts words at ▁, and marks as split_words does") {
    CHECK(words({"<s>", "▁un", "believ", "able", ",", "▁didn", "'", "t", ".", "</s>"}) ==
          Tokens{"<s>", "unbelievable·3", ",", "didn't·3", ".", "</s>"});
    CHECK(words({"▁", "3", ".", "14", "▁(", "well", "-", "known", ")."}) ==
          Tokens{"3.14·4", "(", "well-known·3", ")."});
    // A blank that is a token belongs to the word after it, a second one and a last one do not.
    CHECK(words({"▁", "hippo", "pot", "am", "▁sat", "▁", "▁", "x", "▁"}) ==
          Tokens{"hippopotam·4", "sat", " ", "x·2", " "});
    // Bytes of one letter are one word, and what a piece holds together stays so.
    CHECK(words({"▁a", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "▁你", "好"}) ==
          Tokens{"a", "😀·4", "你", "好"});
    CHECK(words({"▁你好", "吗", "▁x"}) == Tokens{"你好", "吗", "x"});
}

TEST_CASE(
    "words_of_pieces: byte-level BPE parts words at Ġ, and letters may be parted between tokens") {
    CHECK(words({"The", "Ġun", "believ", "able", "Ġcaf", "Ã©", ".", "Ċ", "Ċ", "No"}) ==
          Tokens{"The", "unbelievable·3", "café·2", ".", "\n", "\n", "No"});
    CHECK(words({"Ġa", "ðŁĺ", "Ģ", "Ġb", "<|endoftext|>", "C"}) ==
          Tokens{"a", "😀·2", "b", "<|endoftext|>", "C"});
}

TEST_CASE(
    "words_of_pieces: blanks in tokens part words, too; without any mark each token is a word") {
    CHECK(words({"the", " un", "believ", "able", " cat"}) ==
          Tokens{"the", "unbelievable·3", "cat"});
    CHECK(words({"the", "cat", "sat", "."}) == Tokens{"the", "cat", "sat", "."});
    CHECK(words({}) == Tokens{});
    CHECK(words({"", " a", "", "b"}) == Tokens{"", "a", "", "b"});
}

TEST_CASE("words_of_pieces: a text that is not UTF-8 stays apart at its blanks") {
    const std::vector<PieceWord> all = words_of_pieces({"\xff", "\xfe", " a"});
    CHECK(all.size() == 2);
    CHECK(all[0].count == 2);
    CHECK(all[1].word == "a");
}

}  // namespace headlight::word_pieces_test
