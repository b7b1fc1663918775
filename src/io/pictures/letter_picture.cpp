// One letter as pixels.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "io/pictures/figure_text.h"
#include "io/pictures/font_files.h"

namespace headlight {
namespace {

/// Returns the surface's pixels, with colours not premultiplied by opacity.
Pixels pixels_in(cairo_surface_t* surface, int width, int height) {
    Pixels pixels{width, height, {}};
    const unsigned char* data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::uint32_t p = 0;
            std::memcpy(&p, data + y * stride + 4 * x, 4);
            const std::uint32_t alpha = p >> 24;
            for (const int shift : {16, 8, 0}) {
                const std::uint32_t channel = p >> shift & 0xFF;
                pixels.rgba.push_back(static_cast<std::uint8_t>(
                    alpha == 0 ? 255 : std::min<std::uint32_t>(255, channel * 255 / alpha)));
            }
            pixels.rgba.push_back(static_cast<std::uint8_t>(alpha));
        }
    return pixels;
}

}  // namespace

bool has_colors(const Pixels& pixels) {
    constexpr int kNearlyWhite = 200, kInk = 40;
    for (std::size_t k = 0; k < pixels.rgba.size(); k += 4) {
        const std::uint8_t* p = &pixels.rgba[k];
        if (p[3] > kInk && std::min({p[0], p[1], p[2]}) < kNearlyWhite) return true;
    }
    return false;
}

std::optional<LetterPicture> picture_of_letter(const std::string& letter, float size_px) {
    const ContextPtr measuring(cairo_create(make_pixels(1, 1).get()));
    const TextLine line(measuring.get(), letter, size_px, Font::Regular);
    if (line.lacks_glyphs()) return std::nullopt;
    const TextLine::Ink ink = line.ink();
    constexpr int kRoom = 1;  // smoothed edges may reach over the edge
    const int width = std::max(ink.width, 0) + 2 * kRoom,
              height = std::max(ink.height, 0) + 2 * kRoom;
    const SurfacePtr surface = make_pixels(width, height);
    const ContextPtr cairo(cairo_create(surface.get()));
    cairo_set_source_rgb(cairo.get(), 1, 1, 1);
    cairo_move_to(cairo.get(), kRoom - ink.x, kRoom - ink.y);
    line.draw(cairo.get());
    cairo_surface_flush(surface.get());
    LetterPicture picture{pixels_in(surface.get(), width, height), 0, 0, 0};
    picture.left = static_cast<float>(ink.x - kRoom);
    picture.top = static_cast<float>(ink.y - kRoom - line.baseline());
    picture.advance = static_cast<float>(line.width());
    return picture;
}

}  // namespace headlight
