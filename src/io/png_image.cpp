// Pixels as a PNG file.
#include "io/png_image.h"

#include <algorithm>
#include <cairo/cairo.h>
#include <memory>

#include "core/error.h"
#include "core/matrix.h"

namespace headlight {
namespace {

using SurfacePtr = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

void check_size(int width, int height, std::size_t n_bytes) {
    const bool positive = width > 0 && height > 0;
    if (positive && n_bytes == 4 * static_cast<std::size_t>(width) * height) return;
    throw Error("PNG", std::to_string(n_bytes) + " bytes are not a picture of " +
                           shape_text(width, height) + " pixels");
}

// Cairo's pixel: one native 32-bit number, alpha on top and multiplied into the colours.
std::uint32_t cairo_pixel(const std::uint8_t* rgba) {
    const std::uint32_t alpha = rgba[3];
    const auto multiplied = [alpha](std::uint32_t channel) {
        return (channel * alpha + 127) / 255;
    };
    return alpha << 24 | multiplied(rgba[0]) << 16 | multiplied(rgba[1]) << 8 | multiplied(rgba[2]);
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int size) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
}

struct Unread {
    const std::string& bytes;
    std::size_t at = 0;
};

cairo_status_t take(void* unread, unsigned char* data, unsigned int size) {
    Unread& from = *static_cast<Unread*>(unread);
    if (from.bytes.size() - from.at < size) return CAIRO_STATUS_READ_ERROR;
    std::copy_n(from.bytes.data() + from.at, size, reinterpret_cast<char*>(data));
    from.at += size;
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

DecodedPng decode_png(const std::string& bytes) {
    Unread unread{bytes};
    const SurfacePtr surface(cairo_image_surface_create_from_png_stream(take, &unread),
                             cairo_surface_destroy);
    const cairo_status_t status = cairo_surface_status(surface.get());
    if (status != CAIRO_STATUS_SUCCESS) throw Error("PNG", cairo_status_to_string(status));
    DecodedPng png{cairo_image_surface_get_width(surface.get()),
                   cairo_image_surface_get_height(surface.get()),
                   {}};
    const unsigned char* rows = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < png.height; ++y) {
        const auto* row =
            reinterpret_cast<const std::uint32_t*>(rows + static_cast<std::size_t>(y) * stride);
        for (int x = 0; x < png.width; ++x)
            for (const int shift : {16, 8, 0, 24})
                png.rgba.push_back(shift == 24 ? 255
                                               : static_cast<std::uint8_t>(row[x] >> shift & 0xFF));
    }
    return png;
}

std::string encode_png(int width, int height, const std::vector<std::uint8_t>& rgba) {
    check_size(width, height, rgba.size());
    const SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height),
                             cairo_surface_destroy);
    unsigned char* rows = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; rows != nullptr && y < height; ++y) {
        auto* row = reinterpret_cast<std::uint32_t*>(rows + static_cast<std::size_t>(y) * stride);
        const std::uint8_t* from = rgba.data() + 4 * static_cast<std::size_t>(y) * width;
        for (int x = 0; x < width; ++x) row[x] = cairo_pixel(from + 4 * x);
    }
    cairo_surface_mark_dirty(surface.get());
    std::string bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) throw Error("PNG", cairo_status_to_string(status));
    return bytes;
}

}  // namespace headlight
