// GIF, written by giflib.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gif_lib.h>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/pictures/film.h"

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

/// So many colours that stand for all of the picture's.
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

/// Areas keep their very colours; what is left of the room is for the shades at edges of letters.
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
            throw Error("film", "frame " + std::to_string(i + 1) + " has another size");
        if (pixels.rgba == shown.rgba) continue;
        put_shown(i);
        shown = std::move(pixels);
        began = i;
    }
    put_shown(film.n_frames);
    check_gif(EGifCloseFile(file.release(), nullptr));
    return bytes;
}

}  // namespace headlight
