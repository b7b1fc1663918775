// Animated PNG: the compressed rows of each frame's PNG, with chunks around them that say when.
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>
#include <zlib.h>

#include "core/error.h"
#include "io/pictures/film.h"
#include "io/pictures/png_image.h"

namespace headlight {
namespace {

constexpr std::size_t kSignature = 8;

std::string big_endian(std::uint32_t number, int n_bytes = 4) {
    std::string bytes;
    for (int shift = 8 * (n_bytes - 1); shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift & 0xFF);
    return bytes;
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (const char c : bytes.substr(at, 4)) number = number << 8 | static_cast<std::uint8_t>(c);
    return number;
}

std::string chunk(const std::string& type, std::string_view data) {
    const std::string body = type + std::string(data);
    const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
    return big_endian(static_cast<std::uint32_t>(data.size())) + body +
           big_endian(static_cast<std::uint32_t>(crc));
}

struct Chunk {
    std::string_view type, data, whole;
};

/// The chunks of a PNG that we have just written.
std::vector<Chunk> split_chunks(std::string_view png) {
    std::vector<Chunk> chunks;
    for (std::size_t at = kSignature; at < png.size();) {
        const std::size_t size = number_at(png, at);
        chunks.push_back(
            {png.substr(at + 4, 4), png.substr(at + 8, size), png.substr(at, size + 12)});
        at += size + 12;
    }
    return chunks;
}

/// "fcTL": it covers everything, and stands there for so long.
std::string frame_control(std::uint32_t sequence, const Pixels& pixels, float secs) {
    const auto ms = static_cast<std::uint32_t>(std::lround(1000 * secs));
    return chunk(
        "fcTL", big_endian(sequence) + big_endian(static_cast<std::uint32_t>(pixels.width)) +
                    big_endian(static_cast<std::uint32_t>(pixels.height)) + big_endian(0) +
                    big_endian(0) + big_endian(ms, 2) + big_endian(1000, 2) + std::string(2, '\0'));
}

}  // namespace

std::string write_apng(const Film& film, float dpi) {
    if (film.n_frames == 0) throw Error("film", "there is no frame");
    std::string bytes;
    std::uint32_t sequence = 0;
    Pixels first;
    for (std::size_t i = 0; i < film.n_frames; ++i) {
        const Pixels pixels = film.frame(i);
        if (i == 0) first = {pixels.width, pixels.height, {}};
        if (pixels.width != first.width || pixels.height != first.height)
            throw Error("film", "frame " + std::to_string(i + 1) + " has another size");
        const std::string png = write_pixels(pixels, {.dpi = dpi, .alpha = PngAlpha::Always});
        if (i == 0) bytes = png.substr(0, kSignature);
        bool has_control = false;
        for (const Chunk& part : split_chunks(png)) {
            const bool is_data = part.type == "IDAT";
            if (is_data && !has_control) {
                if (i == 0)
                    bytes += chunk("acTL", big_endian(static_cast<std::uint32_t>(film.n_frames)) +
                                               big_endian(0));
                bytes += frame_control(sequence++, pixels, film.frame_secs);
                has_control = true;
            }
            if (is_data && i > 0)
                bytes += chunk("fdAT", big_endian(sequence++) + std::string(part.data));
            else if (i == 0 && part.type != "IEND")
                bytes += part.whole;
        }
    }
    return bytes + chunk("IEND", "");
}

}  // namespace headlight
