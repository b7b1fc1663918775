// Pixels as a PNG file.
#include "io/png_image.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <spng.h>

#include "core/error.h"
#include "core/matrix.h"

namespace headlight {
namespace {

struct Free {
    void operator()(void* bytes) const { std::free(bytes); }
    void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using EncoderPtr = std::unique_ptr<spng_ctx, Free>;

void check(int failure) {
    if (failure) throw Error("PNG", std::string("not encoded: ") + spng_strerror(failure));
}

void check_size(const Pixels& pixels) {
    const bool is_positive = pixels.width > 0 && pixels.height > 0;
    if (is_positive &&
        pixels.rgba.size() == 4 * static_cast<std::size_t>(pixels.width) * pixels.height)
        return;
    throw Error("PNG", std::to_string(pixels.rgba.size()) + " bytes are not a picture of " +
                           shape_text(pixels.width, pixels.height) + " pixels");
}

/// Figures are areas of one colour: they are found as fast, and pressed as well, without a filter.
EncoderPtr make_encoder() {
    EncoderPtr encoder(spng_ctx_new(SPNG_CTX_ENCODER));
    if (!encoder) throw std::bad_alloc();
    check(spng_set_option(encoder.get(), SPNG_ENCODE_TO_BUFFER, 1));
    check(spng_set_option(encoder.get(), SPNG_IMG_COMPRESSION_LEVEL, 2));
    check(spng_set_option(encoder.get(), SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_NONE));
    return encoder;
}

void set_resolution(spng_ctx* encoder, float dpi) {
    constexpr float kInchesPerMetre = 39.370079f;
    const auto per_metre = static_cast<std::uint32_t>(std::lround(dpi * kInchesPerMetre));
    spng_phys phys{per_metre, per_metre, 1};  // 1: metres
    check(spng_set_phys(encoder, &phys));
}

bool has_no_transparency(const Pixels& pixels) {
    for (std::size_t at = 3; at < pixels.rgba.size(); at += 4)
        if (pixels.rgba[at] != 255) return false;
    return true;
}

std::vector<std::uint8_t> without_alpha(const std::vector<std::uint8_t>& rgba) {
    std::vector<std::uint8_t> rgb(rgba.size() / 4 * 3);
    for (std::size_t from = 0, to = 0; from < rgba.size(); from += 4, to += 3)
        std::copy_n(&rgba[from], 3, &rgb[to]);
    return rgb;
}

}  // namespace

std::string encode_png(const Pixels& pixels, float dpi, PngAlpha alpha) {
    check_size(pixels);
    const bool is_opaque = alpha == PngAlpha::IfNeeded && has_no_transparency(pixels);
    const std::vector<std::uint8_t> rgb =
        is_opaque ? without_alpha(pixels.rgba) : std::vector<std::uint8_t>{};
    const std::vector<std::uint8_t>& samples = is_opaque ? rgb : pixels.rgba;
    const EncoderPtr encoder = make_encoder();
    spng_ihdr header{};
    header.width = static_cast<std::uint32_t>(pixels.width);
    header.height = static_cast<std::uint32_t>(pixels.height);
    header.bit_depth = 8;
    header.color_type = is_opaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    check(spng_set_ihdr(encoder.get(), &header));
    if (dpi > 0) set_resolution(encoder.get(), dpi);
    check(spng_encode_image(encoder.get(), samples.data(), samples.size(), SPNG_FMT_PNG,
                            SPNG_ENCODE_FINALIZE));
    int failure = 0;
    std::size_t n_bytes = 0;
    const std::unique_ptr<void, Free> bytes(spng_get_png_buffer(encoder.get(), &n_bytes, &failure));
    check(failure);
    return {static_cast<const char*>(bytes.get()), n_bytes};
}

}  // namespace headlight
