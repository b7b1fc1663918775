#include "io/pictures/picture.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "io/pictures/png_image.h"

namespace headlight::picture_test {
namespace {

Pixels filled(int width, int height, std::vector<std::uint8_t> pixel) {
    Pixels picture{width, height, {}};
    for (int k = 0; k < width * height; ++k)
        picture.rgba.insert(picture.rgba.end(), pixel.begin(), pixel.end());
    return picture;
}

}  // namespace

TEST_CASE("read_png: it reads what write_pixels wrote") {
    std::vector<std::uint8_t> rgba;
    for (int k = 0; k < 6; ++k) rgba.insert(rgba.end(), {std::uint8_t(40 * k), 7, 200, 255});
    const Pixels picture = read_png(write_pixels({3, 2, rgba}), "input");
    CHECK(picture.width == 3);
    CHECK(picture.height == 2);
    CHECK(picture.rgba == rgba);
}

TEST_CASE(
    "write_pixels: up to 256 colours take one byte per pixel, more take several, and all are read "
    "back") {
    constexpr char kTrueColor = 2, kIndexed = 3, kWithAlpha = 6;
    constexpr std::size_t kColorType = 25;  // of the header
    struct Case {
        int n_colors;
        bool is_clear;
        char type;
    };
    for (const Case& with :
         {Case{1, false, kIndexed}, Case{256, false, kIndexed}, Case{256, true, kIndexed},
          Case{257, false, kTrueColor}, Case{257, true, kWithAlpha}}) {
        Pixels picture{300, 2, {}};
        for (int k = 0; k < 600; ++k) {
            const int color = k * 7 % with.n_colors;
            const bool is_clear = with.is_clear && color % 5 == 1;
            picture.rgba.insert(picture.rgba.end(),
                                {std::uint8_t(color % 200), std::uint8_t(color / 200), 9,
                                 std::uint8_t(is_clear ? 100 : 255)});
        }
        const std::string bytes = write_pixels(picture);
        CHECK(bytes[kColorType] == with.type);
        CHECK(read_png(bytes, "input").rgba == picture.rgba);
        CHECK(write_pixels(picture, {.always_has_alpha = true})[kColorType] == kWithAlpha);
    }
}

TEST_CASE("image_study: a small picture keeps its pixels, on white") {
    Pixels picture = filled(2, 1, {255, 0, 51, 255});
    picture.rgba[7] = 0;
    const ImageStudy study = image_study(picture);
    CHECK(study.rows == 1);
    CHECK(study.columns == 2);
    CHECK(study.channels == 3);
    CHECK(study.layer.patch == 1);
    CHECK(study.pixels == std::vector<float>{1, 0, 0.2f, 1, 1, 1});
}

TEST_CASE("image_study: a large picture is reduced to whole patches by averaging light") {
    Pixels picture = filled(640, 479, {255, 255, 255, 255});
    for (std::size_t k = 0; k < picture.rgba.size(); k += 8)
        picture.rgba[k] = picture.rgba[k + 1] = picture.rgba[k + 2] = 0;
    const ImageStudy study = image_study(picture);
    CHECK(study.columns == 64);
    CHECK(study.rows == 48);
    CHECK(study.layer.patch == 4);
    CHECK(study.pixels.size() == 64 * 48 * 3);
    // Half the light has more than half the sRGB value.
    for (const float value : study.pixels) REQUIRE(value == doctest::Approx(0.735).epsilon(0.01));
}

TEST_CASE("image_study: a narrow picture keeps at least one patch") {
    const ImageStudy study = image_study(filled(3, 16'000, {0, 0, 0, 255}));
    CHECK(study.rows == 64);
    CHECK(study.columns == 4);
}

}  // namespace headlight::picture_test
