// Pixels in PNG files.
#include "io/pictures/png_image.h"

#include <cairo/cairo.h>
#include <cstring>
#include <doctest/doctest.h>

#include "core/error.h"

namespace headlight::png_image_test {
namespace {

struct Reader {
    const std::string& bytes;
    std::size_t at = 0;
};

cairo_status_t read_bytes(void* closure, unsigned char* to, unsigned int size) {
    auto& reader = *static_cast<Reader*>(closure);
    if (reader.at + size > reader.bytes.size()) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(to, reader.bytes.data() + reader.at, size);
    reader.at += size;
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

TEST_CASE("png_image: a written image is read back unchanged") {
    const std::vector<std::uint8_t> rgba = {255, 0, 0,   255, 0,  255, 0,  255,
                                            0,   0, 255, 255, 10, 20,  30, 255};
    const std::string bytes = write_pixels({2, 2, rgba});
    Reader reader{bytes};
    cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read_bytes, &reader);
    REQUIRE(cairo_image_surface_get_width(surface) == 2);
    std::uint32_t last = 0;
    std::memcpy(&last,
                cairo_image_surface_get_data(surface) + cairo_image_surface_get_stride(surface) + 4,
                4);
    CHECK((last & 0xFFFFFF) == 0x0A141E);
    cairo_surface_destroy(surface);
}

TEST_CASE("png_image: an error names sizes that do not match") {
    CHECK_THROWS_WITH_AS(write_pixels({2, 2, std::vector<std::uint8_t>(15)}),
                         doctest::Contains("15 bytes are not a picture of 2 × 2 pixels"), Error);
    CHECK_THROWS_AS(write_pixels({0, 5, {}}), Error);
    CHECK_THROWS_AS(write_pixels({-1, -1, std::vector<std::uint8_t>(4)}), Error);
}

}  // namespace headlight::png_image_test
