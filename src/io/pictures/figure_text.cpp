#include "io/pictures/figure_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "io/pictures/font_files.h"

namespace headlight {
namespace {

/// Remembers widths, since figures that are fitted to their room ask for the same words again.
class MeasuredLines {
  public:
    float width(const std::string& text, float size, Font font) {
        Widths& widths = widths_[{size, font}];
        const auto found = widths.find(text);
        if (found != widths.end()) return found->second;
        if (++n_widths_ > kMostWidths) {
            widths_.clear();
            n_widths_ = 1;
        }
        const TextLine line(cairo_.get(), text, size, font);
        return widths_[{size, font}][text] = static_cast<float>(line.width());
    }

  private:
    using Widths = std::unordered_map<std::string, float>;
    static constexpr std::size_t kMostWidths = 20'000;  // some 2 MB

    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo_{
        cairo_create(make_pixels(1, 1).get()), cairo_destroy};
    std::map<std::pair<float, Font>, Widths> widths_;
    std::size_t n_widths_ = 0;
};

}  // namespace

SurfacePtr make_pixels(int width, int height) {
    SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
        throw Error("export", "there is no memory for a picture of {} pixels",
                    shape_text(width, height));
    return surface;
}

std::uint32_t premultiplied(Color c) {
    const auto times_alpha = [&](std::uint32_t channel) { return (channel * c.a + 127) / 255; };
    return std::uint32_t{c.a} << 24 | times_alpha(c.r) << 16 | times_alpha(c.g) << 8 |
           times_alpha(c.b);
}

FontFace font_face(Font font) {
    switch (font) {
        case Font::Regular:
            return {"Inter, DejaVu Sans, sans-serif"};
        case Font::Bold:
            return {"Inter, DejaVu Sans, sans-serif", true};
        case Font::Math:
            return {"DejaVu Serif, serif", false, true};
        case Font::Mono:
            return {"DejaVu Sans Mono, monospace"};
    }
    return {"sans-serif"};
}

std::string with_sided_arrows(std::string text) {
    constexpr std::string_view kMark = "\u200e";
    for (const std::string_view arrow : {" → ", " ← "})
        for (std::size_t at = 0; (at = text.find(arrow, at)) != std::string::npos;) {
            text.insert(at + arrow.size(), kMark);
            text.insert(at, kMark);
            at += arrow.size() + 2 * kMark.size();
        }
    return text;
}

MeasureText pango_measure() {
    return [lines = std::make_shared<MeasuredLines>()](const std::string& text, float size,
                                                       Font font) {
        return lines->width(text, size, font);
    };
}

bool LetterPicture::has_colors() const {
    constexpr int kNearlyWhite = 200, kInk = 40;
    for (std::size_t k = 0; k < pixels.rgba.size(); k += 4) {
        const std::uint8_t* p = &pixels.rgba[k];
        if (p[3] > kInk && std::min({p[0], p[1], p[2]}) < kNearlyWhite) return true;
    }
    return false;
}

}  // namespace headlight
