// Fonts: which characters can be shown, at which sizes.
#include "ui/fonts/fonts.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "long_checks.h"
#include "test_window.h"
#include "text/utf8.h"
#include "ui/compat.h"

namespace headlight::fonts_test {
namespace {

constexpr Font kFonts[] = {Font::Regular, Font::Bold, Font::Math, Font::Mono};

}  // namespace

TEST_CASE("fonts: every font has the characters of formulas and labels") {
    const Fonts fonts;
    for (Font font : kFonts) {
        for (char32_t c : U"Az09éüßŁσΣαβγ₀₁₉⁻ᵀ√·−∞→↓←↑⋅×≤≥≈∈“”…–—•▲▼◀▶↶↷✓\uFFFD") {
            CAPTURE(static_cast<int>(c));
            if (c != 0) CHECK(fonts.has(font, c));
        }
    }
}

TEST_CASE("fonts: a control character is a sign, and takes no letter from other text") {
    TestWindow window;
    float letters = 0, odd = 0, with_sign = 0;
    window.draw = [&](FrameContext& context) {
        for (char32_t c = 0x7F; c < 0xA0; ++c) {
            const std::string text = "cat" + encode_code_point(c);
            context.fonts.need_glyphs(text);
            odd = context.fonts.text_width(text, 13, Font::Regular);
            with_sign = context.fonts.text_width("cat▯", 13, Font::Regular);
            CHECK(odd == with_sign);
        }
        letters = context.fonts.text_width("cat", 13, Font::Regular);
        for (char32_t c : U"catAz09é") CHECK((c == 0 || context.fonts.has(Font::Regular, c)));
        CHECK(context.fonts.has(Font::Regular, U'▯'));
    };
    window.loop.run_until_idle();
    CHECK(odd > letters);
}

TEST_CASE(
    "fonts: whatever characters texts have held, letters are drawn and the texture is small") {
    TestWindow window;
    std::string text;
    bool has_letters = true;
    double most_pixels = 0;
    window.draw = [&](FrameContext& context) {
        context.fonts.need_glyphs(text);
        for (char32_t c : U"Az09é→√") has_letters &= c == 0 || context.fonts.has(Font::Regular, c);
        const ImFontAtlas& atlas = context.fonts.atlas();
        most_pixels = std::max(most_pixels, static_cast<double>(atlas.TexWidth) * atlas.TexHeight);
    };
    constexpr char32_t kBlock = 0x100, kFirstBlocks = 0x1000;
    const char32_t stride = is_long_check() ? kBlock : 0x1300;
    for (char32_t first = 0; first <= 0x10FFFF; first += first < kFirstBlocks ? kBlock : stride) {
        text.clear();
        for (char32_t c = first; c < first + kBlock; ++c)
            if ((c < 0xD800 || c > 0xDFFF) && c <= 0x10FFFF) text += encode_code_point(c);
        window.move(1, 1);
        window.loop.run_until_idle();
        CAPTURE(static_cast<int>(first));
        REQUIRE(has_letters);
        REQUIRE(most_pixels < 48e6);
    }
    text = "Ж日";
    window.move(2, 2);
    bool is_there = false;
    const auto draw = window.draw;
    window.draw = [&](FrameContext& context) {
        draw(context);
        is_there =
            context.fonts.has(Font::Regular, U'Ж') && context.fonts.has(Font::Regular, U'日');
    };
    window.loop.run_until_idle();
    CHECK(is_there);
}

TEST_CASE("fonts: a text of more characters than fit is drawn as far as they do, and at rest") {
    TestWindow window({400, 300, 2});
    std::string text;
    for (char32_t c = 0x4E00; c < 0x9000; ++c) text += encode_code_point(c);
    bool has_letters = true;
    window.draw = [&](FrameContext& context) {
        context.fonts.need_glyphs(text);
        has_letters &= context.fonts.has(Font::Regular, U'A');
    };
    window.loop.run_until_idle();
    CHECK(window.n_draws < 10);
    CHECK(has_letters);
    text = "龙";  // beyond those that fitted
    bool is_there = false;
    window.draw = [&](FrameContext& context) {
        context.fonts.need_glyphs(text);
        is_there = context.fonts.has(Font::Regular, U'龙');
    };
    window.move(1, 1);
    window.loop.run_until_idle();
    CHECK(is_there);
}

TEST_CASE("fonts: the first letter of an alphabet loads the whole alphabet") {
    TestWindow window;
    bool cyrillic = false;
    window.draw = [&](FrameContext& context) {
        context.fonts.need_glyphs("П");
        cyrillic = true;
        for (char32_t c : {U'П', U'р', U'и', U'в', U'е', U'т', U'Ж'})
            cyrillic = cyrillic && context.fonts.has(Font::Regular, c);
    };
    window.loop.run_until_idle();
    CHECK(cyrillic);
}

TEST_CASE("fonts: text without glyphs, broken text and emoji do no harm") {
    TestWindow window;
    window.draw = [&](FrameContext& context) {
        for (const char* text : {"日本語", "שלום", "مرحبا", "🙂", "\xFF\xFE", "\uE123", ""}) {
            context.fonts.need_glyphs(text);
            ImGui::TextUnformatted(text);
            CHECK(context.fonts.text_width(text, 13, Font::Regular) >= 0);
        }
        CHECK_FALSE(context.fonts.has(Font::Regular, U'🙂'));
        CHECK(context.fonts.text_width("🙂", 13, Font::Regular) > 0);
    };
    window.loop.run_until_idle();
    CHECK(window.n_draws < 10);
}

TEST_CASE("fonts: the sign for an invisible character is fainter than a letter") {
    TestWindow window;
    std::string text = "l";
    window.draw = [&](FrameContext& context) {
        context.fonts.need_glyphs(text);
        Figure figure{400, 300, {}};
        figure.add(TextMark{{10, 100}, text, 22, {0, 0, 0}});
        context.figures.draw(figure, *ImGui::GetBackgroundDrawList(), {0, 0}, 1);
    };
    const auto darkest = [&] {
        window.move(1, 1);
        window.loop.run_until_idle();
        int least = 255;
        const Pixels pixels = window.loop.screenshot();
        for (std::size_t k = 0; k < pixels.rgba.size(); k += 4)
            least = std::min<int>(least, pixels.rgba[k]);
        return least;
    };
    CHECK(darkest() < 40);
    for (const char* sign : {"␣␣", "⏎", "⇥", "↵"}) {
        INFO(sign);
        text = sign;
        const int least = darkest();
        CHECK(least < 200);
        CHECK(least > 95);
    }
}

TEST_CASE("fonts: an emoji sequence that no font has is drawn as its first emoji") {
    TestWindow window;
    float chain = 0, first = 0;
    window.draw = [&](FrameContext& context) {
        std::string text = "😀";
        for (int k = 0; k < 7; ++k) text += "\u200D😀";
        for (const std::string& needed : {text, text + text, std::string("😀")})
            context.fonts.need_glyphs(needed);
        chain = context.fonts.text_width(text, 13, Font::Regular);
        first = context.fonts.text_width("😀", 13, Font::Regular);
        CHECK(context.fonts.text_width(text + text, 13, Font::Regular) < 5 * first);
    };
    window.loop.run_until_idle();
    CHECK(chain == first);
    CHECK(first > 5);
}

TEST_CASE("fonts: joined Arabic letter forms are loaded with the letters") {
    TestWindow window;
    bool has_shapes = false;
    window.draw = [&](FrameContext& context) {
        context.fonts.need_glyphs("مرحبا");
        has_shapes = true;
        for (char32_t c : U"مرحبا\uFE8E\uFE92\uFEA3\uFEAE\uFEE3")
            has_shapes = has_shapes && (c == 0 || context.fonts.has(Font::Regular, c));
    };
    window.loop.run_until_idle();
    CHECK(has_shapes);
}

TEST_CASE("fonts: a family emoji is as wide as one replacement; a joiner has no width") {
    const Fonts fonts;
    const auto width = [&](const char* text) { return fonts.text_width(text, 13, Font::Regular); };
    CHECK(width("👩‍👩‍👧") == width("\uFFFD"));
    CHECK(width("a\u200D\uFE0F") == width("a"));
}

TEST_CASE("fonts: text at a size between two baked sizes has the right width") {
    const Fonts fonts;
    for (Font font : kFonts) {
        const float width = fonts.text_width("Attention is all you need", 40, font);
        for (float size : {8.f, 9.5f, 13.f, 17.3f, 30.f}) {
            CAPTURE(size);
            const float measured = fonts.text_width("Attention is all you need", size, font);
            CHECK(measured == doctest::Approx(width * size / 40).epsilon(0.13));
        }
    }
}

TEST_CASE("fonts: a baked font has the size of its em, in whole pixels") {
    for (float scale : {1.f, 1.25f, 2.f}) {
        const Fonts fonts({1, scale});
        const SizedFont sized = fonts.at(Font::Regular, 13);
        CHECK(sized.size * scale == doctest::Approx(std::round(sized.size * scale)));
        CHECK(sized.size > 13);
        CHECK(sized.size < 18);
    }
}

TEST_CASE("fonts: a line height of whole pixels stays whole at every scale") {
    for (int percent = 100; percent <= 300; ++percent)
        for (int line = 8; line <= 80; ++line) {
            const float scale = static_cast<float>(percent) / 100;
            const float size = static_cast<float>(line) / scale;
            const float asked = compat::atlas_font_size(size, scale);
            CAPTURE(scale);
            CHECK((asked == static_cast<float>(line) || asked == size));
        }
}

TEST_CASE("fonts: text three times as large on a large screen still fits an atlas") {
    Fonts fonts({3, 2});
    CHECK(fonts.at(Font::Regular, 66).size > 66);
    CHECK(fonts.text_width("Headlight", 39, Font::Regular) > 100);
}

}  // namespace headlight::fonts_test
