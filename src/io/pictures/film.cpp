// GIF, written by giflib.
#include "io/pictures/film.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gif_lib.h>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
#include <zlib.h>

#include "core/error.h"
#include "io/pictures/png_image.h"

namespace headlight {
namespace {

constexpr int kColors = 256, kClear = 255;  // the last colour stands for none
constexpr int kMostGifSide = 65535;

void check_gif(int result) {
    if (result == GIF_ERROR) throw Error("gif", "the film could not be encoded");
}

struct CloseGif {
    void operator()(GifFileType* file) const { EGifCloseFile(file, nullptr); }
    void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};
using GifPtr = std::unique_ptr<GifFileType, CloseGif>;
using MapPtr = std::unique_ptr<ColorMapObject, CloseGif>;

int append(GifFileType* file, const GifByteType* data, int size) {
    static_cast<std::string*>(file->UserData)
        ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    return size;
}

/// A frame as indices into its colours.
struct Indexed {
    MapPtr map{GifMakeMapObject(kColors, nullptr)};
    std::vector<GifByteType> indices;
    bool has_clear = false;
};

using Rgb = std::uint32_t;

Rgb color_at(const Pixels& pixels, std::size_t pixel) {
    const std::uint8_t* p = &pixels.rgba[4 * pixel];
    return Rgb{p[0]} << 16 | Rgb{p[1]} << 8 | p[2];
}

GifColorType gif_color(Rgb color) {
    return {static_cast<GifByteType>(color >> 16), static_cast<GifByteType>(color >> 8),
            static_cast<GifByteType>(color)};
}

bool is_clear(const Pixels& pixels, std::size_t pixel) {
    return pixels.rgba[4 * pixel + 3] < 128;
}

/// All colours, those of most pixels first.
std::vector<Rgb> list_colors(const Pixels& pixels) {
    std::unordered_map<Rgb, std::size_t> counts;
    for (std::size_t i = 0; i < pixels.rgba.size() / 4; ++i)
        if (!is_clear(pixels, i)) ++counts[color_at(pixels, i)];
    std::vector<std::pair<std::size_t, Rgb>> ordered;
    for (const auto& [color, count] : counts) ordered.emplace_back(count, color);
    std::ranges::sort(ordered, std::greater{});
    std::vector<Rgb> colors;
    for (const auto& [count, color] : ordered) colors.push_back(color);
    return colors;
}

/// Adds `n_colors` colours that stand for all of the picture's.
void add_quantized(const Pixels& pixels, GifColorType* colors, int n_colors) {
    const std::size_t n = pixels.rgba.size() / 4;
    std::array<std::vector<GifByteType>, 3> channels;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < n; ++i) channels[c].push_back(pixels.rgba[4 * i + c]);
    std::vector<GifByteType> indices(n);
    check_gif(GifQuantizeBuffer(static_cast<unsigned>(pixels.width),
                                static_cast<unsigned>(pixels.height), &n_colors, channels[0].data(),
                                channels[1].data(), channels[2].data(), indices.data(), colors));
}

GifByteType nearest(const ColorMapObject& map, Rgb wanted) {
    const GifColorType color = gif_color(wanted);
    const auto distance = [&](const GifColorType& other) {
        const int r = color.Red - other.Red, g = color.Green - other.Green,
                  b = color.Blue - other.Blue;
        return r * r + g * g + b * b;
    };
    const auto at =
        std::min_element(map.Colors, map.Colors + kClear,
                         [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    return static_cast<GifByteType>(at - map.Colors);
}

/// Keeps the exact colours of areas; the remaining colours are for the shades at edges of letters.
Indexed indexed(const Pixels& pixels) {
    constexpr std::size_t kAreas = 127;
    Indexed frame;
    const std::vector<Rgb> colors = list_colors(pixels);
    const bool is_exact = colors.size() <= static_cast<std::size_t>(kClear);
    const std::size_t n_kept = is_exact ? colors.size() : kAreas;
    for (std::size_t i = 0; i < n_kept; ++i) frame.map->Colors[i] = gif_color(colors[i]);
    if (!is_exact)
        add_quantized(pixels, frame.map->Colors + kAreas, kClear - static_cast<int>(kAreas));
    std::unordered_map<Rgb, GifByteType> known;
    for (std::size_t i = 0; i < colors.size(); ++i)
        known[colors[i]] =
            i < n_kept ? static_cast<GifByteType>(i) : nearest(*frame.map, colors[i]);
    for (std::size_t i = 0; i < pixels.rgba.size() / 4; ++i) {
        frame.has_clear |= is_clear(pixels, i);
        frame.indices.push_back(is_clear(pixels, i) ? static_cast<GifByteType>(kClear)
                                                    : known.at(color_at(pixels, i)));
    }
    return frame;
}

void put_loop(GifFileType* file) {
    constexpr unsigned char kForever[] = {1, 0, 0};
    check_gif(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE));
    check_gif(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"));
    check_gif(EGifPutExtensionBlock(file, sizeof kForever, kForever));
    check_gif(EGifPutExtensionTrailer(file));
}

void put_frame(GifFileType* file, const Pixels& pixels, float secs) {
    Indexed frame = indexed(pixels);
    const GraphicsControlBlock control{
        .DisposalMode = DISPOSE_BACKGROUND,
        .UserInputFlag = false,
        .DelayTime = static_cast<int>(std::lround(100 * secs)),
        .TransparentColor = frame.has_clear ? kClear : NO_TRANSPARENT_COLOR};
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    check_gif(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, bytes.size(), bytes.data()));
    check_gif(EGifPutImageDesc(file, 0, 0, pixels.width, pixels.height, false, frame.map.get()));
    for (int y = 0; y < pixels.height; ++y)
        check_gif(EGifPutLine(file, &frame.indices[static_cast<std::size_t>(y) * pixels.width],
                              pixels.width));
}

}  // namespace

std::string write_gif(const Film& film) {
    if (film.n_frames == 0) throw Error("film", "there is no frame");
    std::string bytes;
    const Pixels first = film.frame(0);
    if (first.width > kMostGifSide || first.height > kMostGifSide)
        throw Error("gif", "a side has at most 65535 pixels; choose a smaller size");
    GifPtr file(EGifOpen(&bytes, append, nullptr));
    if (!file) throw Error("gif", "the film could not be encoded");
    EGifSetGifVersion(file.get(), true);
    check_gif(EGifPutScreenDesc(file.get(), first.width, first.height, 8, 0, nullptr));
    put_loop(file.get());
    Pixels shown = first;
    std::size_t began = 0;  // the first of the frames that look like it, which become one
    const auto put_shown = [&](std::size_t end) {
        put_frame(file.get(), shown, static_cast<float>(end - began) * film.frame_secs);
    };
    for (std::size_t i = 1; i < film.n_frames; ++i) {
        Pixels pixels = film.frame(i);
        if (pixels.width != first.width || pixels.height != first.height)
            throw Error("film", "frame {} has another size", i + 1);
        if (pixels.rgba == shown.rgba) continue;
        put_shown(i);
        shown = std::move(pixels);
        began = i;
    }
    put_shown(film.n_frames);
    check_gif(EGifCloseFile(file.release(), nullptr));
    return bytes;
}

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

/// Splits a PNG that we have just written into its chunks.
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

/// Writes "fcTL": the frame covers everything, and is shown for `secs` seconds.
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
            throw Error("film", "frame {} has another size", i + 1);
        const std::string png = write_pixels(pixels, {.dpi = dpi, .always_has_alpha = true});
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
