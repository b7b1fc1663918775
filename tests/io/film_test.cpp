#include "io/pictures/film.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <gif_lib.h>
#include <map>
#include <memory>

#include "broken_input.h"
#include "io/pictures/picture.h"
#include "io/pictures/png_image.h"

namespace headlight::film_test {
namespace {

/// A film with one colour per frame; the first pixel is transparent.
Film colors(std::size_t n, int width = 6) {
    return {n, 0.25f, [width](std::size_t i) {
                Pixels pixels{width, 4, {}};
                for (int k = 0; k < width * 4; ++k)
                    pixels.rgba.insert(pixels.rgba.end(),
                                       {static_cast<std::uint8_t>(40 * i), 100, 200,
                                        static_cast<std::uint8_t>(k == 0 ? 0 : 255)});
                return pixels;
            }};
}

/// A film with more colours than a GIF can have.
Film rainbow() {
    return {1, 1, [](std::size_t) {
                Pixels pixels{64, 64, {}};
                for (int k = 0; k < 64 * 64; ++k)
                    pixels.rgba.insert(pixels.rgba.end(),
                                       {static_cast<std::uint8_t>(4 * (k % 64)),
                                        static_cast<std::uint8_t>(4 * (k / 64)), 90, 255});
                return pixels;
            }};
}

std::map<std::string, int> chunks(const std::string& png) {
    std::map<std::string, int> found;
    for (std::size_t at = 8; at + 12 <= png.size();) {
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i)
            size = size << 8 | static_cast<std::uint8_t>(png[at + i]);
        ++found[png.substr(at + 4, 4)];
        at += size + 12;
    }
    return found;
}

struct Unread {
    std::string_view rest;
};

int take(GifFileType* file, GifByteType* to, int size) {
    std::string_view& rest = static_cast<Unread*>(file->UserData)->rest;
    const auto n = std::min(rest.size(), static_cast<std::size_t>(size));
    std::copy_n(rest.data(), n, reinterpret_cast<char*>(to));
    rest.remove_prefix(n);
    return static_cast<int>(n);
}

struct CloseGif {
    void operator()(GifFileType* file) const { DGifCloseFile(file, nullptr); }
};

std::unique_ptr<GifFileType, CloseGif> read_gif(Unread& bytes) {
    std::unique_ptr<GifFileType, CloseGif> file(DGifOpen(&bytes, take, nullptr));
    REQUIRE(file);
    REQUIRE(DGifSlurp(file.get()) == GIF_OK);
    return file;
}

GifColorType color_at(const SavedImage& image, int pixel) {
    return image.ImageDesc.ColorMap->Colors[image.RasterBits[pixel]];
}

}  // namespace

TEST_CASE("write_apng: each frame has a control chunk and data; the first frame is the plain PNG") {
    const std::string png = at_once(write_apng(colors(5), 144));
    auto found = chunks(png);
    CHECK(found["acTL"] == 1);
    CHECK(found["fcTL"] == 5);
    CHECK(found["fdAT"] >= 4);
    CHECK(found["IDAT"] >= 1);
    CHECK(found["pHYs"] == 1);
    CHECK(found["IEND"] == 1);
    const Pixels first = read_png(png, "film.png");
    CHECK(first.width == 6);
    CHECK(first.at(3, 2)[2] == 200);
    CHECK(at_once(write_apng(colors(5), 144)) == png);
}

TEST_CASE("write_gif: every frame has its exact colours, its delay, and its transparency") {
    Unread bytes;
    const std::string gif = at_once(write_gif(colors(4)));
    bytes.rest = gif;
    const auto file = read_gif(bytes);
    REQUIRE(file->ImageCount == 4);
    for (int i = 0; i < 4; ++i) {
        const SavedImage& image = file->SavedImages[i];
        CHECK(color_at(image, 9).Red == 40 * i);
        CHECK(color_at(image, 9).Blue == 200);
        GraphicsControlBlock control;
        REQUIRE(DGifSavedExtensionToGCB(file.get(), i, &control) == GIF_OK);
        CHECK(control.DelayTime == 25);
        CHECK(control.TransparentColor == image.RasterBits[0]);
    }
}

TEST_CASE("write_gif: with too many colours the nearest ones are used") {
    Unread bytes;
    const std::string gif = at_once(write_gif(rainbow()));
    bytes.rest = gif;
    const auto file = read_gif(bytes);
    int furthest = 0;
    for (int k = 0; k < 64 * 64; ++k) {
        const GifColorType color = color_at(file->SavedImages[0], k);
        furthest = std::max({furthest, std::abs(color.Red - 4 * (k % 64)),
                             std::abs(color.Green - 4 * (k / 64)), std::abs(color.Blue - 90)});
    }
    CHECK(furthest > 0);
    CHECK(furthest < 64);
}

TEST_CASE("films: no frames, or frames of different sizes, are errors") {
    const Film uneven{2, 1, [](std::size_t i) { return colors(1, 6 + int(i)).frame(0); }};
    using Write = std::function<std::string(const Film&)>;
    for (const auto& write :
         {Write([](const Film& film) { return at_once(write_gif(film)); }),
          Write([](const Film& film) { return at_once(write_apng(film, 144)); })}) {
        CHECK(contains(error_of([&] { write(uneven); }), "frame 2 has another size"));
        CHECK(contains(error_of([&] { write(Film{}); }), "there is no frame"));
    }
}

}  // namespace headlight::film_test
