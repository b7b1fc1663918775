#include "text/shown_tokens.h"

#include <doctest/doctest.h>

namespace headlight::shown_tokens_test {

using Tokens = std::vector<std::string>;

TEST_CASE("shown_name: spaces at the ends, line breaks, tabs and empty names have signs") {
    CHECK(shown_name(" the") == "␣the");
    CHECK(shown_name("  ") == "␣␣");
    CHECK(shown_name("Mr Hi ") == "Mr Hi␣");
    CHECK(shown_name("\n\n") == "⏎⏎");
    CHECK(shown_name("a\r\nb\tc") == "a⏎b⇥c");
    CHECK(shown_name("\r") == "↵");
    CHECK(shown_name("\x01\x7f\u0080\u009f") == "▯▯▯▯");
    CHECK(shown_name("\u0085\u2028\u2029") == "⏎⏎⏎");
    CHECK(shown_name("\u00a0x") == "␣x");
    CHECK(shown_name("") == "∅");
    CHECK(shown_name("naïve 你好") == "naïve 你好");
}

TEST_CASE("shown_names: it is empty if every name is written as it is") {
    CHECK(shown_names({"The", "cat"}).empty());
    CHECK(shown_names({"The", "", "cat "}) == Tokens{"The", "∅", "cat␣"});
}

TEST_CASE("shown_tokens: the marks and bytes of byte-level BPE are decoded") {
    CHECK(shown_tokens({"The", "Ġcat", "Ċ", "ĠcafÃ©", "<|endoftext|>"}) ==
          Tokens{"The", "␣cat", "⏎", "␣café", "<|endoftext|>"});
    CHECK(shown_tokens({"Ġ", "ĠðŁĳ", "į"}) == Tokens{"␣", "␣ðŁĳ", "į"});  // halves of one character
}

TEST_CASE("shown_tokens: Ġ is a letter if no tokenizer could have written the rest") {
    CHECK(shown_tokens({"Ġorġ", "ħareġ"}).empty());
    CHECK(shown_tokens({"Ġużeppi", "你"}).empty());
}

TEST_CASE("shown_tokens: pieces are decoded; WordPiece's ## is shown as text") {
    CHECK(shown_tokens({"<s>", "▁The", "▁cat", "s", "<0x0A>", "▁"}) ==
          Tokens{"<s>", "␣The", "␣cat", "s", "⏎", "␣"});
    CHECK(shown_tokens({"[CLS]", "play", "##ing", "[SEP]"}).empty());
}

TEST_CASE("is_sign_of_unseen: true for the signs, false for letters") {
    for (const char32_t c : U"␣⏎⇥∅↵▯")
        if (c != 0) CHECK(is_sign_of_unseen(c));
    for (const char32_t c : U"a _·Ġ▁你")
        if (c != 0) CHECK_FALSE(is_sign_of_unseen(c));
}

TEST_CASE("signs_in: adjacent signs form one range of bytes") {
    CHECK(signs_in("the cat").empty());
    const auto signs = signs_in("␣⏎a␣");
    REQUIRE(signs.size() == 2);
    CHECK(signs[0].begin == 0);
    CHECK(signs[0].end == 6);
    CHECK(signs[1].begin == 7);
    CHECK(signs[1].end == 10);
}

}  // namespace headlight::shown_tokens_test
