// Right-to-left text: which character is drawn where.
#include <doctest/doctest.h>

#include "ui/fonts/drawn_text.h"

namespace headlight::visual_order_test {

TEST_CASE("visual_order: separated words keep their places") {
    const std::string drawn = visual_order("A(\u2068אב\u2069, \u2068גד\u2069)");
    CHECK(drawn.find("בא") < drawn.find("דג"));
}

TEST_CASE("visual_order: text without right-to-left characters stays as it is") {
    for (const char* text : {"", "a", "L'accord (1992)", "Привет, мир", "日本語",
                             "👩‍👩‍👧 \u200B", "\xFF\xFE", "a\u202Eb"}) {
        CHECK(visual_order(text) == text);
    }
}

TEST_CASE("visual_order: Hebrew is reversed") {
    CHECK(visual_order("שלום") == "םולש");
    CHECK(visual_order("שלום עולם") == "םלוע םולש");
}

TEST_CASE("visual_order: the first letter decides the direction of a mixed line") {
    CHECK(visual_order("hello שלום 12") == "hello 12 םולש");
    CHECK(visual_order("שלום hello") == "hello םולש");
}

TEST_CASE("runs_right_to_left: the first letter decides, whatever precedes it") {
    CHECK(runs_right_to_left("12 שלום hello"));
    CHECK(!runs_right_to_left("hello שלום"));
    CHECK(!runs_right_to_left("12"));
    CHECK(!runs_right_to_left(""));
    CHECK(has_right_to_left("hello שלום"));
    CHECK(!has_right_to_left("hello 👍"));
}

TEST_CASE("visual_order: numbers keep their order, and brackets still enclose the same text") {
    CHECK(visual_order("שלום (12)") == "(12) םולש");
}

TEST_CASE("visual_order: an arrow keeps its two sides") {
    CHECK(visual_order("שלום → עולם") == "םולש → םלוע");
    CHECK(visual_order("א ← ב") == "א ← ב");
    CHECK(visual_order("\uFFFD → עולם → ") == "\uFFFD → םלוע → ");
}

TEST_CASE("visual_order: Arabic letters are joined") {
    // meem initial, reh final, hah initial, beh medial, alef final, from right to left
    CHECK(visual_order("مرحبا") == "\uFE8E\uFE92\uFEA3\uFEAE\uFEE3");
    CHECK(visual_order("م") == "\uFEE1");
}

TEST_CASE("visual_order: lam and alef become one letter, and no second one is left") {
    CHECK(visual_order("لا") == "\uFEFB");
    CHECK(visual_order("سلام") == "\uFEE1\uFEFC\uFEB3");
}

TEST_CASE("visual_order: a non-joiner keeps Persian letters apart") {
    CHECK(visual_order("مم") == "\uFEE2\uFEE3");
    const std::string apart = visual_order("م\u200Cم");
    CHECK(apart.find("\uFEE1") != apart.rfind("\uFEE1"));
}

TEST_CASE("visual_order: marks come before their letter") {
    CHECK(visual_order("\u05D1\u05BC\u05D2") == "\u05D2\u05BC\u05D1");
}

TEST_CASE("visual_order: invalid UTF-8 does no harm") {
    CHECK(visual_order("ש\xFF") == "\uFFFDש");
}

}  // namespace headlight::visual_order_test
