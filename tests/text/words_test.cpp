#include "text/words.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"
#include "text/utf8.h"

namespace headlight::words_test {
namespace {

/// The words, separated by |.
std::string split(std::string_view text) {
    std::string joined;
    for (const std::string& word : split_words(text)) joined += (joined.empty() ? "" : "|") + word;
    return joined;
}

}  // namespace

TEST_CASE("split_words: sentences in several languages are split") {
    CHECK(split("The animal didn't cross the street because it was too tired.") ==
          "The|animal|didn't|cross|the|street|because|it|was|too|tired|.");
    CHECK(split("L'accord sur l'Espace économique européen") ==
          "L'accord|sur|l'Espace|économique|européen");
    CHECK(split("Привет, мир") == "Привет|,|мир");
    CHECK(split("Καλημέρα κόσμε!") == "Καλημέρα|κόσμε|!");
    CHECK(split("Größe: 5 Äpfel") == "Größe|:|5|Äpfel");
    CHECK(split("안녕하세요 세계") == "안녕하세요|세계");
    CHECK(split("नमस्ते दुनिया।") == "नमस्ते|दुनिया|।");
}

TEST_CASE("split_words: apostrophes and hyphens inside a word belong to it") {
    CHECK(split("a well-known mother-in-law") == "a|well-known|mother-in-law");
    CHECK(split("it’s l’été") == "it’s|l’été");
    CHECK(split("col·lecció") == "col·lecció");
}

TEST_CASE("split_words: apostrophes and hyphens at the edge of a word are separate words") {
    CHECK(split("'twas the students' idea") == "'|twas|the|students|'|idea");
    CHECK(split("yes - no") == "yes|-|no");
    CHECK(split("yes--no") == "yes|-|-|no");
    CHECK(split("-5 pre-") == "-|5|pre|-");
    CHECK(split("o'👍") == "o|'|👍");
}

TEST_CASE("split_words: numbers keep their points and commas") {
    CHECK(split("3.14 and 1,000,000.50.") == "3.14|and|1,000,000.50|.");
    CHECK(split("in 1977, 34 nodes") == "in|1977|,|34|nodes");
    CHECK(split("1,x x.1 .5") == "1|,|x|x|.|1|.|5");
    CHECK(split("x² ½") == "x²|½");
}

TEST_CASE("split_words: every other character is a separate word") {
    CHECK(split("Q·Kᵀ/√d_k (=S)") == "Q·Kᵀ|/|√|d|_|k|(|=|S|)");
    CHECK(split("what?!…") == "what|?|!|…");
}

TEST_CASE("split_words: an emoji is one word, however many code points it has") {
    CHECK(split("👍🏽👍") == "👍🏽|👍");
    CHECK(split("Our 👩‍👩‍👧family") == "Our|👩‍👩‍👧|family");
    CHECK(split("🇫🇷🇩🇪") == "🇫🇷|🇩🇪");
    CHECK(split("❤️🏴󠁧󠁢󠁳󠁣󠁴󠁿") == "❤️|🏴󠁧󠁢󠁳󠁣󠁴󠁿");
}

TEST_CASE("split_words: right-to-left words keep their logical order") {
    CHECK(split("مرحبا بالعالم!") == "مرحبا|بالعالم|!");
    CHECK(split("שָׁלוֹם, עולם") == "שָׁלוֹם|,|עולם");
    CHECK(split("צה״ל") == "צה״ל");
    CHECK(split("٣٫١٤") == "٣٫١٤");
    CHECK(split("\u200Fمرحبا\u200F \u202Bab\u202C") == "مرحبا|ab");
}

TEST_CASE("split_words: a joiner that shapes letters stays") {
    CHECK(split("می\u200Cخواهم") == "می\u200Cخواهم");
    CHECK(split("क्\u200Dष") == "क्\u200Dष");
}

TEST_CASE("split_words: each Chinese character or kana is a word") {
    CHECK(split("注意力就是你所需要的。") == "注|意|力|就|是|你|所|需|要|的|。");
    CHECK(split("カラーとひらがな") == "カ|ラ|ー|と|ひ|ら|が|な");
    CHECK(split("GPT-4模型") == "GPT-4|模|型");
    CHECK(split("か\u3099") == "か\u3099");
    CHECK(split("𠮷野家") == "𠮷|野|家");
}

TEST_CASE("split_words: combining marks stay with their letter") {
    CHECK(split("e\u0301te\u0301") == "e\u0301te\u0301");
    CHECK(split("x\u0302+y\u0304") == "x\u0302|+|y\u0304");
    CHECK(split(" \u0301") == "\u0301");
}

TEST_CASE("split_words: white space of every kind separates words and is none itself") {
    CHECK(split("").empty());
    CHECK(split(" \t\r\n\u00A0\u2003\u3000\u2028").empty());
    CHECK(split("  a\tb\r\nc\u00A0d\u202Fe\u3000f\u200Bg  ") == "a|b|c|d|e|f|g");
}

TEST_CASE("split_words: invisible characters make no word and change none") {
    CHECK(split("\uFEFF\u200D\u00AD\uFE0F\u2060").empty());
    CHECK(split("\uFEFFco\u00ADop\u2060erate") == "cooperate");
    CHECK(split(std::string_view("a\0b\x01", 4)) == "a|b");
}

TEST_CASE("split_words: no word is empty and nothing crashes, whatever the code point") {
    for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 13) {
        if (c >= 0xD800 && c < 0xE000) continue;
        std::string text = "a";
        text += encode_code_point(c);
        text += "'b";
        for (const std::string& word : split_words(text)) REQUIRE_FALSE(word.empty());
    }
}

TEST_CASE("split_words: text that is not UTF-8 is an error, wherever it breaks") {
    for (const char* text : {"\xFF", "a b \xC3", "a\xE2\x82 b", "\xED\xA0\x80 b"})
        CHECK_THROWS_AS(split_words(text), Error);
    CHECK_THROWS_WITH(split_words("a b \xC3"),
                      "[text] byte 4 is not valid UTF-8; save the text as UTF-8");
}

TEST_CASE("split_words: 100,000 words are split") {
    std::string text;
    for (int k = 0; k < 100'000; ++k) text += "didn't ";
    CHECK(split_words(text).size() == 100'000);
}

TEST_CASE("check_word_count: the error states the number and the limit") {
    CHECK_NOTHROW(check_word_count(kMaxWords));
    CHECK_THROWS_WITH_AS(check_word_count(5000),
                         "[text] 5000 words, at most 4096 fit; shorten the text", Error);
    CHECK_THROWS_WITH_AS(check_word_count(5000, "tokens"),
                         "[text] 5000 tokens, at most 4096 fit; shorten the text", Error);
}

TEST_CASE("split_sentences: each line is a sentence; lines without words are left out") {
    using Sentences = std::vector<std::vector<std::string>>;
    CHECK(split_sentences("The cat\nslept") == Sentences{{"The", "cat"}, {"slept"}});
    CHECK(split_sentences("\n a \r\n\n \nb\n") == Sentences{{"a"}, {"b"}});
    CHECK(split_sentences("").empty());
    CHECK(split_sentences("\n \n").empty());
    CHECK_THROWS_AS(split_sentences("a\n\xff"), Error);
}

TEST_CASE("is_ideograph_word: it is true for characters that are words by themselves") {
    for (const char* word : {"天", "か"}) CHECK_MESSAGE(is_ideograph_word(word), word);
    for (const char* word : {"", "the", "한국", "👍"}) CHECK_MESSAGE(!is_ideograph_word(word), word);
}

TEST_CASE(
    "is_special_token: names in angle or square brackets are special; words and lone brackets are "
    "not") {
    for (const char* token : {"<end>", "<start>", "<|endoftext|>", "[CLS]", "[PAD]"})
        CHECK_MESSAGE(is_special_token(token), token);
    for (const char* word : {"", "the", "<", "[", "<>", "[]", "a>b", "<end"})
        CHECK_MESSAGE(!is_special_token(word), word);
}

TEST_CASE("join_words: blanks stand where a writer puts them, and the words are read back") {
    const std::vector<std::string> words{"(", "hi", ")", ",", "it's", "3.14", "."};
    CHECK(join_words({}) == "");
    CHECK(join_words({"la", "loi", "n'", "a", "pas", "été", "lue", "."}) ==
          "la loi n'a pas été lue.");
    CHECK(join_words(words) == "( hi), it's 3.14.");
    CHECK(split_words(join_words(words)) == words);
}

TEST_CASE("split_words: every line end of Unicode, the tab and other controls part words") {
    for (const char* between :
         {"\t", "\r", "\n", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029", "\u001f", "\u007f"})
        CHECK(split(std::string("one") + between + "two") == "one|two");
}

TEST_CASE("with_plain_separators: line ends are \\n, tabs stay, other controls are blanks") {
    CHECK(with_plain_separators("a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h\ni") ==
          "a\nb\nc\nd\ne\nf\ng\nh\ni");
    CHECK(with_plain_separators("a\tb\x01"
                                "c\u007fd\r\r\ne") == "a\tb c d\n\ne");
    CHECK(with_plain_separators("é 🙂 \u200b") == "é 🙂 \u200b");
}

TEST_CASE("on_one_line: what parts words is a blank, and line ends around the text are left out") {
    CHECK(on_one_line("\r\none\ttwo\r\nthree\u2028four\n") == "one two three four");
    CHECK(on_one_line("\n\r") == "");
    CHECK(on_one_line("a b") == "a b");
}

}  // namespace headlight::words_test
