#include "figure/color_scale.h"

#include <cmath>
#include <doctest/doctest.h>

#include "figure/color.h"

namespace headlight::color_scale_test {
namespace {

double lightness(const ColorScale& scale, int k) {
    return oklab_from(scale.colors[k]).L;
}

double largest_step_over_mean(const ColorScale& scale) {
    double largest = 0;
    for (int k = 8; k < 256; k += 8)
        largest = std::max(largest, std::abs(lightness(scale, k) - lightness(scale, k - 8)));
    return largest / (std::abs(lightness(scale, 248) - lightness(scale, 0)) / 31);
}

}  // namespace

TEST_CASE("sequential_scale: lightness changes monotonically in even steps, for every head") {
    for (ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast}) {
        const Theme& theme = theme_named(name);
        for (int h = 0; h < 16; ++h) {
            CAPTURE(h);
            const auto scale = sequential_scale(theme, head_color(theme, h), 0, 1);
            REQUIRE(scale.colors.size() == 256);
            CHECK(scale.colors.front() == theme.card);
            if (!theme.has_strong_ends) CHECK(scale.colors.back() == head_color(theme, h));
            const double way = lightness(scale, 255) > lightness(scale, 0) ? 1 : -1;
            // Rounding to 8 bits moves a single colour by up to 0.003.
            for (int k = 1; k < 256; ++k)
                CHECK(way * (lightness(scale, k) - lightness(scale, k - 1)) > -0.003);
            for (int k = 16; k < 256; ++k)
                CHECK(way * (lightness(scale, k) - lightness(scale, k - 16)) > 0);
            CHECK(largest_step_over_mean(scale) < 1.6);
        }
    }
}

TEST_CASE("rank_scale: the first rank has the head's colour, the last the background's") {
    const Theme& theme = theme_named(ThemeName::Light);
    const ColorScale scale = rank_scale(theme, head_color(theme, 3), 34);
    CHECK(value_color(scale, 0) == head_color(theme, 3));
    CHECK(value_color(scale, 33) == theme.card);
    CHECK(scale.high == 33);
    CHECK(value_color(rank_scale(theme, head_color(theme, 3), 1), 0) == head_color(theme, 3));
}

TEST_CASE(
    "diverging_scale: lightness falls from the middle to both ends (in dark themes it rises)") {
    for (ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast}) {
        const auto scale = diverging_scale(theme_named(name), 2);
        const double way = name == ThemeName::Dark ? 1 : -1;
        for (int k = 0; k + 8 < 128; ++k) {
            CHECK(way * (lightness(scale, k) - lightness(scale, k + 8)) > 0);
            CHECK(way * (lightness(scale, 255 - k) - lightness(scale, 247 - k)) > 0);
        }
        CHECK(value_color(scale, -2) == theme_named(name).negative);
        CHECK(value_color(scale, 2) == theme_named(name).positive);
    }
}

TEST_CASE("color_index: rounds to the nearest of 256 and clamps") {
    const auto scale = sequential_scale(theme_named(ThemeName::Light), {0, 0, 0}, -1, 3);
    CHECK(color_index(scale, -1) == 0);
    CHECK(color_index(scale, -7) == 0);
    CHECK(color_index(scale, 3) == 255);
    CHECK(color_index(scale, std::numeric_limits<Scalar>::infinity()) == 255);
    CHECK(color_index(scale, 1) == 128);
    for (int k = 0; k < 256; ++k) CHECK(color_index(scale, -1 + Scalar(4) * k / 255) == k);
}

TEST_CASE("value_color: NaN and −∞ have colours of their own; an empty range is harmless") {
    auto scale = diverging_scale(theme_named(ThemeName::Dark), 1);
    CHECK(value_color(scale, std::nan("")) == theme_named(ThemeName::Dark).not_a_number);
    CHECK(value_color(scale, kMasked) == theme_named(ThemeName::Dark).masked);
    scale.low = scale.high = 5;
    CHECK(value_color(scale, 5) == scale.colors[0]);
    CHECK(value_color(scale, 6) == scale.colors[255]);
}

TEST_CASE("symmetric_limit: it is a round number, at least every finite magnitude") {
    Matrix m(2, 3);
    m << 0.3f, -2.31f, kMasked, std::nanf(""), 1, std::numeric_limits<Scalar>::infinity();
    CHECK(symmetric_limit(m) == doctest::Approx(2.5));
    CHECK(symmetric_limit(Matrix::Zero(3, 3)) == 1);
    CHECK(symmetric_limit(Matrix(0, 0)) == 1);
    CHECK(symmetric_limit(Matrix::Constant(1, 1, Scalar(1e-20))) > 0);
    for (int k = 1; k < 2000; ++k) {
        const auto v = static_cast<Scalar>(std::exp(k * 0.01 - 10));
        const Scalar limit = symmetric_limit(Matrix::Constant(1, 1, -v));
        CHECK(limit >= v);
        CHECK(limit <= v * Scalar(1.3334));
    }
}

}  // namespace headlight::color_scale_test
