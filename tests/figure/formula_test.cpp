#include "figure/words/formula.h"

#include <doctest/doctest.h>

#include "figure/marks.h"

namespace headlight::formula_test {
using namespace headlight::test;

namespace {

std::vector<TextMark> set(const std::string& formula) {
    Figure figure;
    const float width = add_formula(figure, {10, 100}, formula, {20, {}}, fake_measure);
    CHECK(width == doctest::Approx(formula_width(formula, {20, {}}, fake_measure)));
    return texts_of(figure);
}

}  // namespace

TEST_CASE(
    "formula: subscripts and superscripts are smaller and shifted, and the line continues after "
    "them") {
    const auto marks = set("Q K^T / √d_{kv}");
    REQUIRE(marks.size() == 4);
    CHECK(marks[0].text == "Q K");
    CHECK(marks[1].text == "T");
    CHECK(marks[1].size < marks[0].size);
    CHECK(marks[1].at.y < marks[0].at.y);
    CHECK(marks[2].text == " / √d");
    CHECK(marks[2].at.y == marks[0].at.y);
    CHECK(marks[2].at.x > marks[1].at.x);
    CHECK(marks[3].text == "kv");
    CHECK(marks[3].at.y > marks[0].at.y);
}

TEST_CASE("formula: a subscript and a superscript of one symbol are stacked") {
    const auto marks = set("x_i^2 + 1");
    REQUIRE(marks.size() == 4);
    CHECK(marks[1].at.x == marks[2].at.x);
    CHECK(marks[1].at.y > marks[2].at.y);
    CHECK(marks[3].at.x > marks[1].at.x);
}

TEST_CASE("formula: scripts nest, escapes work, and characters may have many bytes") {
    const auto nested = set("e^{x_{ij}}");
    REQUIRE(nested.size() == 3);
    CHECK(nested[2].size < nested[1].size);
    CHECK(nested[2].at.y > nested[1].at.y);
    CHECK(set("resid\\_pre").at(0).text == "resid_pre");
    CHECK(set("h_α").at(1).text == "α");
}

TEST_CASE("formula: no text can break it") {
    CHECK(set("").empty());
    for (const char* odd :
         {"_", "^", "x_", "x_{", "x_{a", "}", "a}b", "_{}", "{", "\\", "x__y", "^^"})
        CHECK(set(odd).size() <= 3);
    CHECK(set("a}b").size() == 2);
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (int k = 0; k < 12; ++k) text += "_^{}\\ax "[random() % 8];
        set(text);
    }
}

TEST_CASE("formula: one that is too wide ends in … before a blank, and never inside braces") {
    const std::string formula = "x_{a b} + y + 12345";
    const FormulaStyle style{10, {}};
    const float whole = formula_width(formula, style, fake_measure);
    CHECK(shortened_formula(formula, whole, style, fake_measure) == formula);
    CHECK(shortened_formula(formula, whole - 1, style, fake_measure) == "x_{a b} + y + …");
    CHECK(shortened_formula(formula, formula_width("x_{a b} …", style, fake_measure), style,
                            fake_measure) == "x_{a b} …");
    CHECK(shortened_formula(formula, 1, style, fake_measure) == "…");
    for (float room = whole; room > 20; --room)
        CHECK(formula_width(shortened_formula(formula, room, style, fake_measure), style,
                            fake_measure) <= room);
}

}  // namespace headlight::formula_test
