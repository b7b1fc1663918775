#include "text/utf8.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "core/error.h"

namespace headlight::utf8_test {
namespace {

struct BadText {
    const char* bytes;
    std::size_t offset;
    const char* repaired;
};

const std::vector<BadText> kBadTexts = {
    {"\x80", 0, "�"},                        // a following byte without a first one
    {"ab\xFFz", 2, "ab�z"},                  // never a byte of UTF-8
    {"\xC0\x80", 0, "��"},                   // overlong NUL
    {"\xE0\x80\x80", 0, "���"},              // overlong, three bytes
    {"\xF0\x80\x80\x80", 0, "����"},         // overlong, four bytes
    {"x\xED\xA0\x80y", 1, "x���y"},          // a surrogate
    {"\xF4\x90\x80\x80", 0, "����"},         // above U+10FFFF
    {"\xF5\x80\x80\x80", 0, "����"},         // no sequence begins so
    {"caf\xC3", 3, "caf�"},                  // cut after one of two bytes
    {"\xE2\x82", 0, "�"},                    // cut after two of three
    {"\xF0\x9F\x91", 0, "�"},                // cut after three of four
    {"\xF0\x9F\x91z", 0, "�z"},              // broken off by a letter
    {"\xE2\x82\xE2\x82\xAC", 0, "�€"},       // broken off by a good sequence
    {"caf\xE9 au lait", 3, "caf� au lait"},  // Latin-1
    {"\xFF\xFEh\0", 0, "��h"},               // UTF-16
};

std::string all_code_points(std::string_view text) {
    std::string copy;
    for (std::size_t offset = 0; offset < text.size();) {
        const CodePoint code_point = decode_code_point(text, offset);
        copy += encode_code_point(code_point.value);
        offset += code_point.size_bytes;
    }
    return copy;
}

}  // namespace

TEST_CASE("check_utf8: the error names the offset of the first bad byte and says what to do") {
    CHECK_NOTHROW(check_utf8("Привет, мир — 你好 👋🏽"));
    CHECK_NOTHROW(check_utf8(""));
    CHECK_THROWS_WITH_AS(check_utf8("The animal didn't\xE9"),
                         "[text] byte 17 is not valid UTF-8; save the text as UTF-8", Error);
}

TEST_CASE("repair_utf8: bad bytes become U+FFFD and everything else stays") {
    for (const BadText& bad : kBadTexts) {
        CAPTURE(bad.repaired);
        CHECK(find_invalid_utf8(bad.bytes) == bad.offset);
        CHECK(repair_utf8(bad.bytes) == bad.repaired);
        CHECK_NOTHROW(check_utf8(repair_utf8(bad.bytes)));
    }
    CHECK(repair_utf8("Καλημέρα 🇫🇷") == "Καλημέρα 🇫🇷");
}

TEST_CASE("repair_utf8: a text cut or broken at any byte becomes valid") {
    const std::string text = "aé€👍🏽";
    for (std::size_t at = 0; at < text.size(); ++at) {
        CAPTURE(at);
        CHECK_FALSE(find_invalid_utf8(repair_utf8(text.substr(0, at))).has_value());
        CHECK_FALSE(find_invalid_utf8(repair_utf8(text.substr(at))).has_value());
        std::string broken = text;
        broken[at] = '\xFF';
        CHECK(find_invalid_utf8(broken).value() <= at);
        CHECK_FALSE(find_invalid_utf8(repair_utf8(broken)).has_value());
    }
}

TEST_CASE("decode_code_point and encode_code_point undo each other for every code point") {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c < 0xE000) continue;
        const std::string bytes = encode_code_point(c);
        const CodePoint back = decode_code_point(bytes, 0);
        if (back.value != c || !back.is_valid || back.size_bytes != bytes.size()) {
            CAPTURE(static_cast<unsigned>(c));
            FAIL("changed on the way");
        }
    }
    CHECK(all_code_points("L'été — 👩‍👩‍👧") == "L'été — 👩‍👩‍👧");
}

TEST_CASE("encode_code_point: an invalid code point becomes U+FFFD") {
    CHECK(encode_code_point(0xD800) == "�");
    CHECK(encode_code_point(0xDFFF) == "�");
    CHECK(encode_code_point(0x110000) == "�");
}

TEST_CASE("count_code_points: it counts code points, not bytes") {
    CHECK(count_code_points("") == 0);
    CHECK(count_code_points("été") == 3);
    CHECK(count_code_points("👍🏽") == 2);
    CHECK(count_code_points("a\xFF") == 2);
}

TEST_CASE("grapheme_end: a letter with marks, an emoji sequence and a flag are one cluster") {
    for (const std::string cluster :
         {"e\u0301", "👍🏽", "👩‍👩‍👧", "🇫🇷", "각", "\r\n", "❤️"}) {
        CAPTURE(cluster);
        CHECK(grapheme_end(cluster + "x", 0) == cluster.size());
        CHECK(grapheme_end(cluster, 0) == cluster.size());
    }
    CHECK(grapheme_end("🇫🇷🇩🇪", 0) == std::string("🇫🇷").size());
}

TEST_CASE("shorten: it keeps what fits and marks what is missing") {
    CHECK(shorten("tired", 5) == "tired");
    CHECK(shorten("tired", 9) == "tired");
    CHECK(shorten("tired", 4) == "tir…");
    CHECK(shorten("tired", 1) == "…");
    CHECK(shorten("tired", 0) == "");
    CHECK(shorten("", 3) == "");
}

TEST_CASE("shorten: it never cuts inside a grapheme cluster") {
    CHECK(shorten("e\u0301e\u0301e\u0301", 4) == "e\u0301…");
    CHECK(shorten("a👩‍👩‍👧b", 4) == "a…");
    CHECK(shorten("👍🏽👍🏽", 3) == "👍🏽…");
    CHECK(shorten("👍🏽", 2) == "👍🏽");
}

TEST_CASE("shorten: invalid UTF-8 does no harm") {
    CHECK(shorten("ab\xFF\xFE", 2) == "a…");
    CHECK(shorten("\xF0\x9F", 1) == "\xF0\x9F");
}

TEST_CASE("drawable_line: long lines and piled-up marks are cut, and the rest stays") {
    const auto repeated = [](const std::string& text, std::size_t n) {
        std::string all;
        for (std::size_t k = 0; k < n; ++k) all += text;
        return all;
    };
    for (const std::string text :
         {"", "a b", "שלום", "👩‍👩‍👧‍👦", "e\u0301\u0323"}) {
        CHECK(drawable_line(text) == text);
        CHECK(drawable_line(repeated(text, 100)) == repeated(text, 100));
    }
    CHECK(drawable_line("x a" + repeated("\u0301", 17000) + " y") ==
          "x a" + repeated("\u0301", kMostLetterCodePoints - 1) + "… y");
    CHECK(drawable_line(repeated("a", 1'000'000)) == repeated("a", kMostLineLetters) + "…");
}

TEST_CASE("drawable_line: what no font draws is a sign, in a short line and in a long one") {
    for (const std::string end : {"", " and so on and on"}) {
        CHECK(drawable_line("a\x01\x7F\u0080\u009F b" + end) == "a▯▯▯▯ b" + end);
        CHECK(drawable_line("a\tb\n\uFFFE\uFFFF" + end) == "a\tb\n��" + end);
    }
}

}  // namespace headlight::utf8_test
