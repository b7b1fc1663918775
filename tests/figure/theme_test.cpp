#include "figure/theme.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/error.h"
#include "figure/color.h"
#include "figure/color_scale.h"

namespace headlight::theme_test {
namespace {

/// Distance in OKLab, and the same as people without green or without red cones see it
/// (Machado 2009, full severity).
double distance_seen(Color a, Color b, const double (&view)[3][3]) {
    const auto seen = [&](Color c) {
        const auto linear = [](double v) { return std::pow(v / 255, 2.2); };
        const double in[3] = {linear(c.r), linear(c.g), linear(c.b)};
        std::uint8_t out[3];
        for (int k = 0; k < 3; ++k) {
            const double v = view[k][0] * in[0] + view[k][1] * in[1] + view[k][2] * in[2];
            out[k] = static_cast<std::uint8_t>(
                std::lround(255 * std::pow(std::clamp(v, 0.0, 1.0), 1 / 2.2)));
        }
        return oklab_from({out[0], out[1], out[2]});
    };
    const OkLab p = seen(a), q = seen(b);
    return std::hypot(p.L - q.L, std::hypot(p.a - q.a, p.b - q.b));
}

constexpr double kAllCones[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr double kNoGreen[3][3] = {
    {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.01182, 0.04294, 0.968881}};
constexpr double kNoRed[3][3] = {{0.152286, 1.052583, -0.204868},
                                 {0.114503, 0.786281, 0.099216},
                                 {-0.003882, -0.048116, 1.051998}};

}  // namespace

TEST_CASE("theme: text, muted text, accents and warnings are legible on every background") {
    for (ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast}) {
        const Theme& theme = theme_named(name);
        for (Color background : {theme.window, theme.canvas, theme.panel, theme.card, theme.field,
                                 theme.notice, theme.accent_soft})
            for (Color text : {theme.text, theme.muted, theme.accent, theme.warning}) {
                CAPTURE(background.r);
                CAPTURE(text.r);
                CHECK(contrast(text, background) >= 4.5);
            }
        CHECK(contrast(theme.on_accent, theme.accent) >= 4.5);
        CHECK(contrast(theme.selection, theme.card) >= 4.5);
        for (Color group : theme.groups) CHECK(contrast(theme.text, group) >= 7);
    }
}

TEST_CASE("theme: high contrast is twice as strict, and borders are visible") {
    const Theme& theme = theme_named(ThemeName::Contrast);
    for (Color background : {theme.window, theme.canvas, theme.panel, theme.card, theme.field,
                             theme.notice, theme.accent_soft}) {
        for (Color text : {theme.text, theme.muted, theme.accent, theme.warning})
            CHECK(contrast(text, background) >= 7);
        for (Color line : {theme.border, theme.wire}) CHECK(contrast(line, background) >= 4.5);
    }
    CHECK(contrast(theme.selection, theme.card) >= 7);
}

TEST_CASE("theme: in high contrast every head's scale goes from white to a dark hue, one way") {
    const Theme& theme = theme_named(ThemeName::Contrast);
    std::vector<Color> ends;
    for (int head = 0; head < 16; ++head) {
        const ColorScale scale = sequential_scale(theme, head_color(theme, head), 0, 1);
        CHECK(contrast(scale.colors.front(), scale.colors.back()) >= 7);
        for (const Color& end : ends)
            CHECK((head >= 4 || distance_seen(end, scale.colors.back(), kAllCones) > 0.05));
        ends.push_back(scale.colors.back());
        for (std::size_t k = 1; k < scale.colors.size(); ++k)
            CHECK(oklab_from(scale.colors[k]).L <= oklab_from(scale.colors[k - 1]).L + 1e-3);
    }
    for (Color end : {theme.negative, theme.positive}) CHECK(contrast(end, theme.zero) >= 9);
    CHECK(contrast(theme.grid, theme.card) >= 3);
}

TEST_CASE("theme: the dark theme is dark and the light one light") {
    CHECK(luminance(theme_named(ThemeName::Light).canvas) > 0.8);
    CHECK(luminance(theme_named(ThemeName::Dark).canvas) < 0.02);
}

TEST_CASE("head_color: sixteen heads differ, also for colour-blind people") {
    for (ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast}) {
        const Theme& theme = theme_named(name);
        REQUIRE(theme.heads.size() == 16);
        for (int a = 0; a < 16; ++a)
            for (int b = 0; b < a; ++b) {
                CAPTURE(a);
                CAPTURE(b);
                const Color p = head_color(theme, a), q = head_color(theme, b);
                CHECK(distance_seen(p, q, kAllCones) > 0.075);
                CHECK(distance_seen(p, q, kNoGreen) > 0.045);
                CHECK(distance_seen(p, q, kNoRed) > 0.045);
            }
    }
}

TEST_CASE("head_color: after sixteen the colours repeat in another lightness") {
    const Theme& theme = theme_named(ThemeName::Light);
    CHECK(head_color(theme, 0) == Color{0, 0x72, 0xb2, 255});
    CHECK(head_color(theme, 16) != head_color(theme, 0));
    CHECK(head_color(theme, 32) != head_color(theme, 16));
    CHECK(oklab_from(head_color(theme, 16)).L < oklab_from(head_color(theme, 0)).L);
    CHECK(oklab_from(head_color(theme, 32)).L > oklab_from(head_color(theme, 0)).L);
}

TEST_CASE("text_on: it is the more legible of two colours, on every grey") {
    for (ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast})
        for (int grey = 0; grey < 256; ++grey) {
            const auto g = static_cast<std::uint8_t>(grey);
            CHECK(contrast(text_on(theme_named(name), {g, g, g}), {g, g, g}) >= 3.8);
        }
}

TEST_CASE("color: converting to OKLab and back gives the same colour") {
    for (int k = 0; k < 4096; ++k) {
        const Color c{static_cast<std::uint8_t>(k * 7), static_cast<std::uint8_t>(k * 31),
                      static_cast<std::uint8_t>(k * 101)};
        CHECK(color_from(oklab_from(c)) == c);
    }
    CHECK(contrast({0, 0, 0}, {255, 255, 255}) == doctest::Approx(21));
}

TEST_CASE("parse_color: invalid text is refused with the text") {
    CHECK(parse_color("#0072b280") == Color{0, 0x72, 0xb2, 0x80});
    for (const char* bad : {"", "#12345", "0072b2", "#00zzb2", "#0072b", "#-072b2"})
        CHECK_THROWS_WITH_AS(
            parse_color(bad),
            ("[palette] '" + std::string(bad) + "' is no colour; write #rrggbb").c_str(), Error);
}

}  // namespace headlight::theme_test
