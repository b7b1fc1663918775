#include <cmath>
#include <doctest/doctest.h>
#include <initializer_list>

#include "figure/color.h"
#include "figure/color_scale.h"

namespace headlight::color_vision_test {
namespace {

/// From the first colour to the last, straight in sRGB.
std::vector<Color> ramp(std::initializer_list<const char*> anchors) {
    ColorMap map{"", {}, ColorMap::Steps::Anchors};
    for (const char* anchor : anchors) map.anchors.push_back(parse_color(anchor));
    return sequential_colors(map);
}

}  // namespace

TEST_CASE("seen_with: colours are as colorspacious 1.1.2 for Python makes them; greys stay") {
    struct Seen {
        ColorVision vision;
        Color color, seen;
    };
    using enum ColorVision;
    for (const auto& [vision, color, wanted] :
         {Seen{NoRed, {200, 60, 60}, {100, 92, 59}}, Seen{NoRed, {30, 160, 90}, {160, 146, 85}},
          Seen{NoRed, {68, 1, 84}, {0, 34, 86}}, Seen{NoRed, {253, 231, 37}, {254, 224, 0}},
          Seen{NoGreen, {200, 60, 60}, {135, 122, 56}}, Seen{NoGreen, {68, 1, 84}, {4, 39, 82}},
          Seen{NoGreen, {30, 160, 90}, {145, 136, 95}},
          Seen{NoGreen, {253, 231, 37}, {255, 233, 57}}, Seen{NoBlue, {200, 60, 60}, {220, 11, 62}},
          Seen{NoBlue, {68, 1, 84}, {67, 23, 46}}, Seen{NoBlue, {30, 160, 90}, {0, 158, 143}},
          Seen{NoBlue, {253, 231, 37}, {255, 214, 198}}}) {
        const Color seen = seen_with(color, vision);
        CAPTURE(color.r);
        CHECK(std::abs(seen.r - wanted.r) <= 1);
        CHECK(std::abs(seen.g - wanted.g) <= 1);
        CHECK(std::abs(seen.b - wanted.b) <= 1);
    }
    for (const ColorVision vision : {NoRed, NoGreen, NoBlue}) {
        const Color grey = seen_with({128, 128, 128}, vision);
        CHECK(std::abs(grey.r - 128) + std::abs(grey.g - 128) + std::abs(grey.b - 128) <= 3);
    }
}

TEST_CASE("colour maps: all that come with the program can be read with any colour vision") {
    for (const ColorMap& map : sequential_maps()) {
        CAPTURE(map.name);
        CHECK(is_safe(map, MapKind::Sequential));
    }
    for (const ColorMap& map : diverging_maps()) {
        CAPTURE(map.name);
        CHECK(is_safe(map, MapKind::Diverging));
    }
    for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast}) {
        const Theme& theme = theme_named(name);
        CHECK(is_safe_divergence(diverging_scale(theme, 1).colors));
        for (int head = 0; head < 16; ++head) {
            CAPTURE(head);
            CHECK(is_safe_sequence(sequential_scale(theme, head_color(theme, head), 0, 1).colors));
        }
    }
}

TEST_CASE("colour maps: a rainbow and red against green are not called safe") {
    CHECK(!is_safe_sequence(
        ramp({"#00007f", "#0000ff", "#00ffff", "#ffff00", "#ff0000", "#7f0000"})));  // as jet
    CHECK(!is_safe_divergence(ramp({"#a50026", "#f46d43", "#fee08b", "#ffffbf", "#d9ef8b",
                                    "#66bd63", "#006837"})));  // Brewer's RdYlGn
    CHECK(!is_safe_divergence(ramp({"#ffffff", "#000000"})));  // has no middle
}

}  // namespace headlight::color_vision_test
