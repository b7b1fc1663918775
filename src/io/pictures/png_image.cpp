#include "io/pictures/png_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <spng.h>
#include <utility>
#include <zlib.h>

#include "core/error.h"
#include "core/matrix.h"
#include "io/pictures/figure_painter.h"

namespace headlight {
namespace {

struct Free {
    void operator()(void* bytes) const { std::free(bytes); }
    void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using EncoderPtr = std::unique_ptr<spng_ctx, Free>;

void check_encoded(int failure) {
    if (failure) throw Error("PNG", "not encoded: {}", spng_strerror(failure));
}

using Bytes = std::vector<std::uint8_t>;

/// The samples that are written for each pixel, and their type.
struct Samples {
    spng_color_type type;
    Bytes bytes;
    spng_plte palette = {};
    spng_trns alphas = {};  // of the palette
};

void set_resolution(spng_ctx* encoder, float dpi) {
    constexpr float kInchesPerMetre = 39.370079f;
    const auto per_metre = static_cast<std::uint32_t>(std::lround(dpi * kInchesPerMetre));
    spng_phys phys{per_metre, per_metre, 1};  // 1: metres
    check_encoded(spng_set_phys(encoder, &phys));
}

bool has_no_transparency(const Pixels& pixels) {
    for (std::size_t at = 3; at < pixels.rgba.size(); at += 4)
        if (pixels.rgba[at] != 255) return false;
    return true;
}

Bytes without_alpha(const Bytes& rgba) {
    Bytes rgb(rgba.size() / 4 * 3);
    for (std::size_t from = 0, to = 0; from < rgba.size(); from += 4, to += 3)
        std::copy_n(&rgba[from], 3, &rgb[to]);
    return rgb;
}

/// Numbers the colours of a picture, in the order in which they come.
class Palette {
  public:
    /// Returns the number of a colour; nothing if it would be the 257th.
    std::optional<std::uint8_t> find_or_add(std::uint32_t rgba) {
        if (rgba == last_ && !colors_.empty()) return last_index_;
        std::size_t place = (rgba * 2654435761u) >> 22;  // a hash of ten bits
        while (places_[place] != 0 && colors_[places_[place] - 1u] != rgba)
            place = (place + 1) % places_.size();
        if (places_[place] == 0) {
            if (colors_.size() == kMost) return std::nullopt;
            colors_.push_back(rgba);
            places_[place] = static_cast<std::uint16_t>(colors_.size());
        }
        last_ = rgba;
        last_index_ = static_cast<std::uint8_t>(places_[place] - 1);
        return last_index_;
    }

    const std::vector<std::uint32_t>& colors() const { return colors_; }

  private:
    static constexpr std::size_t kMost = 256;
    std::vector<std::uint32_t> colors_;
    std::array<std::uint16_t, 1024> places_{};  // index + 1, or 0
    std::uint32_t last_ = 0;
    std::uint8_t last_index_ = 0;
};

std::optional<Samples> indexed_samples(const Pixels& pixels) {
    Samples samples{SPNG_COLOR_TYPE_INDEXED, Bytes(pixels.rgba.size() / 4)};
    Palette palette;
    for (std::size_t k = 0; k < samples.bytes.size(); ++k) {
        std::uint32_t rgba = 0;
        std::memcpy(&rgba, &pixels.rgba[4 * k], 4);
        const auto index = palette.find_or_add(rgba);
        if (!index) return std::nullopt;
        samples.bytes[k] = *index;
    }
    for (const std::uint32_t rgba : palette.colors()) {
        std::uint8_t c[4];
        std::memcpy(c, &rgba, 4);
        samples.palette.entries[samples.palette.n_entries++] = {c[0], c[1], c[2], c[3]};
        samples.alphas.type3_alpha[samples.alphas.n_type3_entries++] = c[3];
    }
    return samples;
}

Samples choose_samples(const Pixels& pixels, const PngChoice& choice) {
    if (choice.always_has_alpha) return {SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, pixels.rgba};
    if (auto samples = indexed_samples(pixels)) return *std::move(samples);
    if (has_no_transparency(pixels)) return {SPNG_COLOR_TYPE_TRUECOLOR, without_alpha(pixels.rgba)};
    return {SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, pixels.rgba};
}

/// Makes an encoder for figures, which are areas of one colour: these are found as fast, and
/// compressed as well, without a filter. Where a pixel is a byte, looking only for runs is faster
/// still, and compresses better.
EncoderPtr make_encoder(const Samples& samples, const Pixels& pixels) {
    EncoderPtr encoder(spng_ctx_new(SPNG_CTX_ENCODER));
    if (!encoder) throw std::bad_alloc();
    const bool is_indexed = samples.type == SPNG_COLOR_TYPE_INDEXED;
    const auto set = [&](spng_option option, int value) {
        check_encoded(spng_set_option(encoder.get(), option, value));
    };
    set(SPNG_ENCODE_TO_BUFFER, 1);
    set(SPNG_IMG_COMPRESSION_LEVEL, 2);
    set(SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_NONE);
    if (is_indexed) set(SPNG_IMG_COMPRESSION_STRATEGY, Z_RLE);
    spng_ihdr header{};
    header.width = static_cast<std::uint32_t>(pixels.width);
    header.height = static_cast<std::uint32_t>(pixels.height);
    header.bit_depth = 8;
    header.color_type = static_cast<std::uint8_t>(samples.type);
    check_encoded(spng_set_ihdr(encoder.get(), &header));
    if (!is_indexed) return encoder;
    spng_plte palette = samples.palette;
    check_encoded(spng_set_plte(encoder.get(), &palette));
    spng_trns alphas = samples.alphas;
    if (!has_no_transparency(pixels)) check_encoded(spng_set_trns(encoder.get(), &alphas));
    return encoder;
}

void encode_rows(spng_ctx* encoder, const Samples& samples, int height, const Steps& steps) {
    check_encoded(spng_encode_image(encoder, nullptr, 0, SPNG_FMT_PNG,
                                    SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE));
    const std::size_t row = samples.bytes.size() / static_cast<std::size_t>(height);
    for (std::size_t at = 0; at < samples.bytes.size(); at += row) {
        const int failure = spng_encode_row(encoder, &samples.bytes[at], row);
        check_encoded(failure == SPNG_EOI ? 0 : failure);
        steps.advance(1.0 / height);
    }
}

}  // namespace

std::string write_pixels(const Pixels& pixels, const PngChoice& choice) {
    const bool is_picture =
        pixels.width > 0 && pixels.height > 0 &&
        pixels.rgba.size() == 4 * static_cast<std::size_t>(pixels.width) * pixels.height;
    if (!is_picture)
        throw Error("PNG", "{} bytes are not a picture of {} pixels", pixels.rgba.size(),
                    shape_text(pixels.width, pixels.height));
    const Samples samples = choose_samples(pixels, choice);
    const EncoderPtr encoder = make_encoder(samples, pixels);
    if (choice.dpi > 0) set_resolution(encoder.get(), choice.dpi);
    encode_rows(encoder.get(), samples, pixels.height, choice.steps);
    int failure = 0;
    std::size_t n_bytes = 0;
    const std::unique_ptr<void, Free> bytes(spng_get_png_buffer(encoder.get(), &n_bytes, &failure));
    check_encoded(failure);
    return {static_cast<const char*>(bytes.get()), n_bytes};
}

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
