#include "paint/words/formula.h"

#include <doctest/doctest.h>

#include "paint/marks.h"

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

}  // namespace headlight::formula_test
