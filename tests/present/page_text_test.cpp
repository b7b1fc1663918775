#include "present/page/page_text.h"

#include <doctest/doctest.h>
#include <random>

#include "../expression/expression_study.h"

using namespace headlight;

namespace {

PageText text_of(std::string_view text) {
    return read_page_text(text, "a.lecture", {10});
}

std::string text_error(std::string_view text) {
    try {
        text_of(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string filled_text(std::string_view text) {
    return plain_text(fill(text_of(text), who_is_it().scope()));
}

struct BadText {
    const char *text, *error;
};

constexpr BadText kBadTexts[] = {
    {"one\ntwo **three",
     "[a.lecture] line 11: the ** that begins here has no end; \\* is an asterisk"},
    {"a *b", "[a.lecture] line 10: the * that begins here has no end; \\* is an asterisk"},
    {"one\n\n- it `is",
     "[a.lecture] line 12: the ` that begins here has no end; \\` is a backquote"},
    {"it costs $5", "[a.lecture] line 10: the $ that begins here has no end; \\$ is a dollar sign"},
    {"a\nb\nc {1", "[a.lecture] line 12: the { that begins here has no end; \\{ is a brace"},
    {"a ``", "[a.lecture] line 10: there is nothing between the two signs"},
    {"a $$ b", "[a.lecture] line 10: the formula is empty"},
    {"$$ x", "[a.lecture] line 10: a line that begins with $$ is a formula, and ends with $$"},
    {"$$", "[a.lecture] line 10: a line that begins with $$ is a formula, and ends with $$"},
    {"$$ $$", "[a.lecture] line 10: the formula is empty"},
    {"$a\n\\e$",
     "[a.lecture] line 10: \\e is not known; letters and signs such as α, ∈ and √ can be typed as "
     "they are: a\\n\\e"},
    {"$a {= 1$", "[a.lecture] line 10: the {= that begins here has no end"},
    {"one\n{1 +}",
     "[a.lecture] line 11: column 4 of '1 +': the expression ends where a name or a number is "
     "missing"},
    {"{1:x}",
     "[a.lecture] line 10: there is no format 'x'; a format is a number of decimals, 0 to 9, or "
     "%, or both: 1%"},
};

}  // namespace

TEST_CASE("the text of a page: paragraphs, items and formulas are blocks") {
    const PageText text = text_of(
        "One line\nand another.\n\nNext.\n- first\n  goes on\n  - inside\n12. second\n"
        "$$ A = softmax(S) $$\nEnd.");
    REQUIRE(text.blocks.size() == 7);
    CHECK(plain_text(text) ==
          "One line and another.\nNext.\n• first goes on\n• inside\n12. second\nA = "
          "softmax(S)\nEnd.");
    CHECK(text.blocks[0].kind == TextBlock::Kind::Paragraph);
    CHECK(text.blocks[1].line == 13);
    CHECK(text.blocks[2].kind == TextBlock::Kind::Item);
    CHECK(text.blocks[2].level == 0);
    CHECK(text.blocks[3].level == 1);
    CHECK(text.blocks[4].label == "12.");
    CHECK(text.blocks[5].kind == TextBlock::Kind::Formula);
    CHECK(text_of("").blocks.empty());
    CHECK(text_of("\n \n").blocks.empty());
    CHECK(plain_text(text_of("1.5 is a number, and so is -3")) == "1.5 is a number, and so is -3");
}

TEST_CASE("the text of a page: bold, emphasis, code and formulas are spans") {
    const std::vector<TextSpan> spans =
        text_of("a **b *c*** `d*e` $x_{i}$ 2 * 3 {1 + 1:2}").blocks.at(0).spans;
    REQUIRE(spans.size() == 9);
    CHECK(spans[0].text == "a ");
    CHECK((spans[1].text == "b " && spans[1].is_bold && !spans[1].is_emphasis));
    CHECK((spans[2].text == "c" && spans[2].is_bold && spans[2].is_emphasis));
    CHECK((spans[4].text == "d*e" && spans[4].kind == TextSpan::Kind::Code));
    CHECK((spans[6].text == "x_{i}" && spans[6].kind == TextSpan::Kind::Formula));
    CHECK(spans[7].text == " 2 * 3 ");
    CHECK(
        (spans[8].kind == TextSpan::Kind::Value && spans[8].format == "2" && spans[8].expression));
}

TEST_CASE("the text of a page: a backslash makes any sign a character") {
    CHECK(plain_text(text_of(R"(\{ \} \* \*\* \$5 \` \\ \- \word)")) ==
          R"({ } * ** $5 ` \ - \word)");
    CHECK(plain_text(text_of(R"(\- no item)")) == "- no item");
    CHECK(text_of(R"($a \$ b$)").blocks[0].spans[0].text == "a $ b");
    CHECK(expressions_in(text_of(R"(\{1 + 1\})")).empty());
}

TEST_CASE("the text of a page: values are filled in") {
    CHECK(filled_text("A = {1 / 3}, {1 / 3:1} or {1 / 3:%}.") == "A = 0.333, 0.3 or 33 %.");
    CHECK(filled_text("{argmax(pattern[it])}, of {rows(pattern)} words") == "didn't, of 11 words");
    CHECK(filled_text("{'a:b'} and {rank([1, 2],\n0)}") == "a:b and 2");
    CHECK(filled_text("$x_{i} = {= 1 / 4:2} > 0$") == "x_i = 0.25 > 0");
    const PageText text = fill(text_of("$${= 'a_b'}$$"), who_is_it().scope());
    REQUIRE(text.blocks[0].spans.size() == 1);
    CHECK(text.blocks[0].spans[0].text == "a\\_b");
    CHECK(expressions_in(text).empty());
    CHECK(expressions_in(text_of("{1} $x {= 2}$\n- {3}")).size() == 3);
    CHECK_THROWS_WITH_AS(filled_text("one\n\ntwo {1 / 0}"),
                         "[a.lecture] line 12: column 3 of '1 / 0': a division by zero", Error);
}

TEST_CASE("the text of a page: every error says the line") {
    for (const BadText& bad : kBadTexts) CHECK(text_error(bad.text) == bad.error);
    CHECK(text_error("$" + std::string(600, 'x') + "$") ==
          "[a.lecture] line 10: the formula has more than 500 characters");
}

TEST_CASE("the text of a page: random text only throws Error") {
    std::mt19937 random(3);
    constexpr std::string_view kBytes = "ab1 \n\n-.*$`{}=\\_^:\"'\xc3\xa4\xff\t";
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::size_t n = random() % 40; n > 0; --n) text += kBytes[random() % kBytes.size()];
        CAPTURE(text);
        try {
            static_cast<void>(filled_text(text));
        } catch (const Error&) {
        }
    }
}
