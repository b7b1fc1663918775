#include "figure/figure_look.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/error.h"

namespace headlight::figure_look_test {
namespace {

constexpr Color kCard{250, 250, 250};
const Figure kFigure{600, 400, {}};

FigureSheet sheet(FigureLength::Unit unit, float value, float dpi) {
    FigureLook look;
    look.width = {unit, value};
    look.dpi = dpi;
    return sheet_for(kFigure, look, kCard);
}

}  // namespace

TEST_CASE("sheet_for: without a width a point is a point, two pixels wide by default") {
    const FigureSheet plain = sheet_for(kFigure, {}, kCard);
    CHECK(plain.scale == 1);
    CHECK(plain.pixels_per_point() == 2);
}

TEST_CASE("sheet_for: a width in millimetres holds on paper, and is a whole number of pixels") {
    using Unit = FigureLength::Unit;
    const FigureSheet paper = sheet(Unit::Millimetres, 85, 300);
    const float pixels = paper.pixels_per_point() * kFigure.width;
    CHECK(pixels == doctest::Approx(1004));  // 85 / 25.4 · 300 = 1003.9
    CHECK(paper.scale * kFigure.width / 72 * 25.4f == doctest::Approx(85).epsilon(0.001));
}

TEST_CASE(
    "sheet_for: a width in pixels does not depend on the dpi; a width in points holds on paper") {
    using Unit = FigureLength::Unit;
    for (const float dpi : {72.0f, 144.0f, 300.0f}) {
        CHECK(sheet(Unit::Pixels, 1200, dpi).pixels_per_point() == doctest::Approx(2));
        CHECK(sheet(Unit::Points, 240, dpi).scale == doctest::Approx(0.4));
    }
}

TEST_CASE("sheet_for: the background is the theme's, white, or none") {
    FigureLook look;
    CHECK(sheet_for(kFigure, look, kCard).background == kCard);
    look.background = FigureLook::Background::White;
    CHECK(sheet_for(kFigure, look, kCard).background == Color{255, 255, 255});
    look.background = FigureLook::Background::Transparent;
    CHECK(sheet_for(kFigure, look, kCard).background.a == 0);
}

TEST_CASE("sheet_for: a figure without a size is an error") {
    CHECK_THROWS_AS(sheet_for(Figure{}, {}, kCard), Error);
    CHECK_THROWS_AS(sheet_for(Figure{std::nanf(""), 10, {}}, {}, kCard), Error);
}

}  // namespace headlight::figure_look_test
