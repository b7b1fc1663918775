// PNG through libspng, which checks sums and limits itself.
#include <memory>
#include <new>
#include <spng.h>

#include "core/error.h"
#include "core/matrix.h"
#include "io/pictures/picture.h"
#include "io/pictures/picture_size.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxChunkBytes = std::size_t{16} << 20, kMaxKeptBytes = std::size_t{32} << 20;

void check_spng(int error, const std::string& source) {
    if (error == SPNG_OK) return;
    if (error == SPNG_ECHUNK_LIMITS)
        throw Error(source,
                    "has texts or colour profiles of more than 16 MB beside its pixels; "
                    "save it without them");
    throw Error(source, "is not a sound PNG picture: " + std::string(spng_strerror(error)) +
                            "; the file is incomplete or damaged");
}

/// Before the library looks: width and height, where they always stand.
void check_png_size(std::string_view bytes, const std::string& source) {
    if (bytes.empty()) throw Error(source, "is empty");
    if (bytes.size() < 24 || bytes.substr(12, 4) != "IHDR") return;
    const auto number = [&](std::size_t at) {
        std::uint64_t value = 0;
        for (const char c : bytes.substr(at, 4)) value = value << 8 | static_cast<std::uint8_t>(c);
        return value;
    };
    check_picture_size(number(16), number(20), source);
}

/// Bytes before compression, by the header: no row can be missing.
std::uint64_t unpacked_bytes(const spng_ihdr& header) {
    constexpr std::uint64_t kChannels[] = {1, 0, 3, 1, 2, 0, 4};
    const std::uint64_t bits = kChannels[header.color_type] * header.bit_depth;
    return (header.width * bits + 7) / 8 * header.height;
}

}  // namespace

Pixels read_png(std::string_view bytes, const std::string& source) {
    check_png_size(bytes, source);
    const std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)> context(spng_ctx_new(0),
                                                                      spng_ctx_free);
    if (!context) throw std::bad_alloc();
    check_spng(spng_set_chunk_limits(context.get(), kMaxChunkBytes, kMaxKeptBytes), source);
    check_spng(spng_set_png_buffer(context.get(), bytes.data(), bytes.size()), source);
    spng_ihdr header{};
    check_spng(spng_get_ihdr(context.get(), &header), source);
    constexpr std::uint64_t kMostPacked = 1032;  // deflate makes nothing smaller
    if (unpacked_bytes(header) / kMostPacked > bytes.size())
        throw Error(source, "is too short for its " + shape_text(header.width, header.height) +
                                " pixels; the file is incomplete or damaged");
    std::size_t size = 0;
    check_spng(spng_decoded_image_size(context.get(), SPNG_FMT_RGBA8, &size), source);
    Pixels picture{static_cast<int>(header.width), static_cast<int>(header.height), {}};
    picture.rgba.resize(size);
    check_spng(spng_decode_image(context.get(), picture.rgba.data(), size, SPNG_FMT_RGBA8,
                                 SPNG_DECODE_TRNS),
               source);
    return picture;
}

}  // namespace headlight
