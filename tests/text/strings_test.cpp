#include "text/strings.h"

#include <array>
#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace headlight::strings_test {

TEST_CASE("counted: one is singular, none and many are plural") {
    CHECK(counted(0, "text") == "0 texts");
    CHECK(counted(1, "text") == "1 text");
    CHECK(counted(2, "text") == "2 texts");
    CHECK(counted(1, "matrix", "matrices") == "1 matrix");
    CHECK(counted(3, "matrix", "matrices") == "3 matrices");
}

TEST_CASE("trimmed: blanks and line ends around a text go, those within it stay") {
    CHECK(trimmed(" \t a b\r\n") == "a b");
    CHECK(trimmed(" \n ").empty());
    CHECK(trimmed("").empty());
}

TEST_CASE("replaced_all: every place is replaced, and what was put in is not looked at again") {
    CHECK(replaced_all("a−b−c", "−", "-") == "a-b-c");
    CHECK(replaced_all("a\n\nb", "\n", "\n  ") == "a\n  \n  b");
    CHECK(replaced_all("aa", "a", "aa") == "aaaa");
    CHECK(replaced_all("abc", "d", "e") == "abc");
    CHECK(replaced_all("", "d", "e") == "");
}

TEST_CASE("joined: between two items stands what separates them, and an empty item is one") {
    CHECK(joined(std::vector<std::string>{}) == "");
    CHECK(joined(std::vector<std::string>{"a"}) == "a");
    CHECK(joined(std::vector<std::string>{"", "b", ""}) == ", b, ");
    CHECK(joined(std::array{1, 20}, " × ") == "1 × 20");
    CHECK(joined(std::array{1, 2}, "\n", [](int n) { return counted(n, "head"); }) ==
          "1 head\n2 heads");
}

TEST_CASE("joined_few: what is left out is counted") {
    const std::vector<std::string> names = {"a", "b", "c"};
    CHECK(joined_few(names, 3) == "a, b, c");
    CHECK(joined_few(names, 2) == "a, b and 1 more");
    CHECK(joined_few(names, 1, quoted_word) == "“a” and 2 more");
}

TEST_CASE("append_part: only a text that is not empty is separated from the part") {
    std::string text;
    append_part(text, "; ", "a");
    append_part(text, "; ", "b");
    CHECK(text == "a; b");
}

TEST_CASE("quoted_word: a word that is a quotation mark stands between other ones") {
    CHECK(quoted_word("cat") == "“cat”");
    CHECK(quoted_word("didn't") == "“didn't”");
    CHECK(quoted_word("l’") == "“l’”");
    CHECK(quoted_word("\"") == "«\"»");
    CHECK(quoted_word("␣“") == "«␣“»");
    CHECK(quoted_word(",\"") == "«,\"»");
    for (const char* mark : {"'", "’", "␣`", "''"})
        CHECK(quoted_word(mark) == "«" + std::string(mark) + "»");
}

TEST_CASE("find_quoted_word: between either marks") {
    CHECK(find_quoted_word("Row “it”") == 4);
    CHECK(find_quoted_word("Row «\"»") == 4);
    CHECK(find_quoted_word("Row “«”") == 4);
    CHECK(find_quoted_word("Row") == std::string::npos);
}

TEST_CASE("printable: any bytes become one line of valid text") {
    CHECK(printable("Größe Ж 😀") == "Größe Ж 😀");
    CHECK(printable("a\nb\tc\x01\x7F") == "a\\nb\\tc\\x01\\x7f");
    CHECK(printable("a\u2028b") == "a\\u2028b");
    CHECK(printable("\xC3(") == "\xEF\xBF\xBD(");
    CHECK(in_quotes("a") == "'a'");
    CHECK(list_in_quotes(std::array<std::string_view, 2>{"a", "b"}) == "'a', 'b'");
}

TEST_CASE("printable: a megabyte is shortened") {
    const std::string shown = printable(std::string(1'000'000, 'x'));
    CHECK(shown.ends_with("…"));
    CHECK(shown.size() < 250);
    CHECK(printable(std::string(200, 'x')) == std::string(200, 'x'));
}

TEST_CASE("suggestion: it is the nearest known text, or none") {
    constexpr std::array<std::string_view, 4> kKnown = {"n_heads", "d_model", "mask", "seed"};
    CHECK(suggestion("heads", kKnown) == "; did you mean 'n_heads'?");
    CHECK(suggestion("n_hedas", kKnown) == "; did you mean 'n_heads'?");
    CHECK(suggestion("sed", kKnown) == "; did you mean 'seed'?");
    CHECK(suggestion("temperature", kKnown).empty());
    CHECK(suggestion(std::string(100'000, 'a'), kKnown).empty());
}

TEST_CASE("xml_escaped: what XML gives a meaning is written by its name") {
    CHECK(xml_escaped("a < b & \"c\" > d") == "a &lt; b &amp; &quot;c&quot; &gt; d");
    CHECK(xml_escaped("Größe") == "Größe");
}

}  // namespace headlight::strings_test
