#include "present/page/page_text_figure.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "../expression/expression_study.h"
#include "text/utf8.h"

using namespace headlight;

namespace {

const MeasureText kMeasureLetters = [](const std::string& text, float size, Font font) {
    const float share = font == Font::Mono ? 0.6f : font == Font::Bold ? 0.55f : 0.5f;
    return share * size * static_cast<float>(count_code_points(text));
};

constexpr const char* kPageText =
    "Each word **looks for** others: *it* reads `pattern[it]`, and most of it goes to "
    "**{argmax(pattern[it])}**, with {max(pattern[it]):1%} of {rows(pattern)} words.\n\n"
    "- The scores $S = Q K^{T} / √d_{k}$ are masked, and $A_{ij} = {= pattern[it, cat]}$\n"
    "  - deeper, [a(b)**c**d]\n12. 注意力机制让每个词读其他词。\n\n"
    "$$A = softmax(Q K^{T} / √d_{k} + M)$$\n\nA row: {pattern[it]}.";

Figure make_view(const PageText& text, float width) {
    return text_figure(text, {width, 16, theme_named(ThemeName::Light), kMeasureLetters});
}
PageText filled_page() {
    return fill(read_page_text(kPageText, "t"), who_is_it().scope());
}
Figure make_view(const char* text, float width) {
    return make_view(read_page_text(text, "t"), width);
}

std::vector<TextMark> text_marks(const Figure& figure) {
    std::vector<TextMark> marks;
    for (const Mark& mark : figure.marks) marks.push_back(std::get<TextMark>(mark));
    return marks;
}

float right_end(const TextMark& mark) {
    return mark.at.x + kMeasureLetters(mark.text, mark.size, mark.font);
}

std::string without_gaps(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '_' || c == '^'; });
    return text;
}

}  // namespace

TEST_CASE("a text as a figure: no line is wider than the figure, and nothing is lost") {
    for (const float width : {12.0f, 40.0f, 90.0f, 200.0f, 333.0f, 900.0f, 5000.0f}) {
        const Figure figure = make_view(filled_page(), width);
        std::string drawn;
        for (const TextMark& mark : text_marks(figure)) {
            CHECK(mark.at.x >= 0);
            CHECK(right_end(mark) <= width + 0.01f);
            CHECK(mark.at.y < figure.height);
            CHECK(mark.size > 0);
            drawn += mark.text;
        }
        CHECK(without_gaps(drawn) == without_gaps(plain_text(filled_page())));
        CHECK(figure.width == width);
    }
}

TEST_CASE("a text as a figure: lines are as full as they can be") {
    const auto marks = text_marks(make_view("aaaa bbbb cccc dddd", 80));  // 8 points a letter
    REQUIRE(marks.size() == 2);
    CHECK(marks[0].text == "aaaa bbbb");
    CHECK(marks[1].text == "cccc dddd");
    CHECK(text_marks(make_view("aaaa bbbb cccc", 72)).size() == 2);
    CHECK(text_marks(make_view("aaaa bbbb cccc", 71)).size() == 3);
    CHECK(make_view("a", 80).height < make_view("a\n\nb", 80).height);
    CHECK(make_view("", 80).height == 0);
}

TEST_CASE("a text as a figure: pieces of one word stay on one line, without a gap") {
    const auto marks = text_marks(make_view("aaaa b**cc**d.", 64));
    REQUIRE(marks.size() == 4);
    CHECK(marks[1].at.y > marks[0].at.y);
    CHECK(marks[2].at.y == marks[1].at.y);
    CHECK(marks[2].font == Font::Bold);
    CHECK(marks[2].at.x == doctest::Approx(right_end(marks[1])));
    CHECK(marks[3].at.x == doctest::Approx(right_end(marks[2])));
}

TEST_CASE("a text as a figure: the lines of an item begin below its first word") {
    const auto marks = text_marks(make_view("- aaaa bbbb\n  - cccc", 60));
    REQUIRE(marks.size() == 5);
    CHECK(marks[0].text == "•");
    CHECK(marks[0].at.y == marks[1].at.y);
    CHECK(marks[0].at.x < marks[1].at.x);
    CHECK(marks[2].at.x == marks[1].at.x);
    CHECK(marks[4].at.x > marks[2].at.x);
}

TEST_CASE("a text as a figure: what is too wide for a line is smaller, and whole") {
    const auto marks = text_marks(make_view("incomprehensibilities x", 80));
    REQUIRE(marks.size() == 2);
    CHECK(marks[0].size < 16);
    CHECK(marks[0].size > 7);
    CHECK(marks[1].size == 16);
    std::set<float> lines;
    for (const TextMark& mark : text_marks(make_view("a $a + b + c + d_{long} + e$ b", 60)))
        if (mark.font == Font::Math) lines.insert(std::min(mark.at.y, 1000.0f));
    CHECK(lines.size() == 2);  // the formula's own line, and its subscript
}

TEST_CASE("a text as a figure: styles have their fonts and colours") {
    const Theme& theme = theme_named(ThemeName::Light);
    const auto marks = text_marks(make_view("a *b* **c** `d` $e$", 500));
    REQUIRE(marks.size() == 5);
    CHECK(marks[0].color == theme.text);
    CHECK((marks[1].color == theme.accent && marks[1].font == Font::Regular));
    CHECK((marks[2].color == theme.text && marks[2].font == Font::Bold));
    CHECK(marks[3].font == Font::Mono);
    CHECK(marks[4].font == Font::Math);
    const auto centred = text_marks(make_view("$$x$$", 500));
    CHECK(centred[0].size > 16);
    CHECK(centred[0].at.x + right_end(centred[0]) == doctest::Approx(500));
}

TEST_CASE("a text as a figure: a value is bold, and never breaks") {
    const PageText text = fill(read_page_text("{0.5:%} {[1, 2, 3]:1}", "t"), who_is_it().scope());
    const auto marks = text_marks(make_view(text, 45));
    for (const TextMark& mark : marks) CHECK(mark.font == Font::Bold);
    REQUIRE(marks.size() == 2);
    CHECK(marks[0].text == "50 %");
    CHECK(marks[1].text == "[1.0, 2.0, 3.0]");
    CHECK(marks[1].size < marks[0].size);
    CHECK(text_marks(make_view("{1 + 1}", 500))[0].text == "{1 + 1}");
}
