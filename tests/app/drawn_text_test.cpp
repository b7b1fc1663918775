// The characters whose glyphs are drawn for a text.
#include "ui/fonts/drawn_text.h"

#include <doctest/doctest.h>

namespace headlight::drawn_text_test {
namespace {

// Letters and signs of the first plane, but no marks and nothing invisible.
bool has_glyph(char32_t character) {
    const bool is_mark = character >= 0x300 && character < 0x370;
    const bool is_invisible = character >= 0x2000 && character < 0x2010;
    return character <= 0xFFFF && !is_mark && !is_invisible;
}

std::string drawn(const std::string& text) {
    return drawn_text(text, has_glyph);
}

}  // namespace

TEST_CASE("drawn_text: characters with glyphs are drawn unchanged") {
    for (const char* text : {"", "a b\n", "Łódź", "Привет, мир", "日本語", "√dₖ → 1"}) {
        CHECK(drawn(text) == text);
    }
}

TEST_CASE("drawn_text: a letter of many characters becomes one replacement if no font has it") {
    CHECK(drawn("🙂") == "\uFFFD");
    CHECK(drawn("👩‍👩‍👧") == "\uFFFD");
    CHECK(drawn("👍🏽 🇫🇷") == "\uFFFD \uFFFD");
    CHECK(drawn("🙂🙂") == "\uFFFD\uFFFD");
}

TEST_CASE("drawn_text: marks without glyphs are left out") {
    CHECK(drawn("e\u0301") == "e");
    CHECK(drawn("☝🏽") == "☝");
}

TEST_CASE("drawn_text: joiners, variation selectors and soft hyphens are not drawn") {
    CHECK(drawn("❤\uFE0F") == "❤");
    CHECK(drawn("a\u200Db\u200Bc\u00ADd\uFEFF") == "abcd");
    CHECK(drawn("\u200D") == "");
}

TEST_CASE("drawn_text: a non-joiner is not drawn, but keeps Persian letters apart") {
    CHECK(drawn("م\u200Cم") == "\uFEE1\uFEE1");
    CHECK(drawn("مم") == "\uFEE2\uFEE3");
}

TEST_CASE("drawn_text: a family emoji among Hebrew words is one replacement in its place") {
    CHECK(drawn("שלום 👩‍👩‍👧 עולם") == "םלוע \uFFFD םולש");
}

TEST_CASE(
    "drawn_text: a letter with a code of its own becomes that code, also among Hebrew words") {
    const auto letter_code = [](std::string_view letter) {
        return letter == "👍" ? char32_t{0xA000} : char32_t{0};
    };
    CHECK(drawn_text("a 👍🏽 b", has_glyph, letter_code) == "a \uA000 b");
    CHECK(drawn_text("שלום 👍 עולם", has_glyph, letter_code) == "םלוע \uA000 םולש");
}

TEST_CASE("drawn_text: invalid UTF-8 becomes replacement characters") {
    CHECK(drawn("a\xFF") == "a\uFFFD");
}

}  // namespace headlight::drawn_text_test
