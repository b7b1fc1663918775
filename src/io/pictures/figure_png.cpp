#include "io/pictures/figure_png.h"

#include <cmath>
#include <cstdint>

#include "core/error.h"
#include "core/matrix.h"
#include "io/pictures/figure_painter.h"

namespace headlight {
namespace {

constexpr int kLargestSide = 32767;                   // Cairo's limit
constexpr std::int64_t kMostPngPixels = 150'000'000;  // A0 at 300 dpi; each takes 8 bytes

int side_px(float points, float pixels_per_point) {
    const float side = std::ceil(points * pixels_per_point - 1e-3f);
    if (!(side >= 1) || side > kLargestSide)
        throw Error(
            "png",
            "a side of {:f} pixels is not possible; use 1 to 32767 (change the size or the dpi)",
            side);
    return static_cast<int>(side);
}

/// Cairo's pixel is one native 32-bit number, alpha on top and multiplied into the colours.
void take_apart(std::uint32_t pixel, std::uint8_t* rgba) {
    const std::uint32_t alpha = pixel >> 24;
    const auto channel = [&](int shift) -> std::uint8_t {
        const std::uint32_t multiplied = pixel >> shift & 0xFF;
        if (alpha == 255 || alpha == 0) return static_cast<std::uint8_t>(multiplied);
        return static_cast<std::uint8_t>(std::min(255u, (multiplied * 255 + alpha / 2) / alpha));
    };
    rgba[0] = channel(16);
    rgba[1] = channel(8);
    rgba[2] = channel(0);
    rgba[3] = static_cast<std::uint8_t>(alpha);
}

Pixels read_pixels(cairo_surface_t* surface) {
    cairo_surface_flush(surface);
    Pixels pixels{
        cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
    pixels.rgba.resize(4 * static_cast<std::size_t>(pixels.width) * pixels.height);
    const unsigned char* bytes = cairo_image_surface_get_data(surface);
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
    std::uint8_t* to = pixels.rgba.data();
    for (int y = 0; y < pixels.height; ++y) {
        const auto* row = reinterpret_cast<const std::uint32_t*>(bytes + y * stride);
        for (int x = 0; x < pixels.width; ++x, to += 4) take_apart(row[x], to);
    }
    return pixels;
}

}  // namespace

Pixels rasterize(const Figure& figure, const FigureSheet& sheet, const Steps& steps) {
    const float per_point = sheet.pixels_per_point();
    const int width = side_px(figure.width, per_point), height = side_px(figure.height, per_point);
    if (std::int64_t{width} * height > kMostPngPixels)
        throw Error("png",
                    "{} pixels are too many; at most {} million are drawn (change the size or the "
                    "dpi, or write .pdf or .svg)",
                    shape_text(width, height), kMostPngPixels / 1'000'000);
    const SurfacePtr surface = make_pixels(width, height);
    const ContextPtr cairo(cairo_create(surface.get()));
    const Color background = sheet.background;
    cairo_set_source_rgba(cairo.get(), background.r / 255.0, background.g / 255.0,
                          background.b / 255.0, background.a / 255.0);
    cairo_paint(cairo.get());
    cairo_scale(cairo.get(), per_point, per_point);
    paint_figure(cairo.get(), figure, {PaintedOn::Background::Pixels, per_point, steps});
    return read_pixels(surface.get());
}

std::string write_png(const Figure& figure, const FigureSheet& sheet, const Steps& steps) {
    const Pixels pixels = rasterize(figure, sheet, steps.part(0.5));
    return write_pixels(pixels, {.dpi = sheet.dpi, .steps = steps.part(0.5)});
}

}  // namespace headlight
