// Arithmetic on colours: hex text, mixing in a perceptual space, contrast; and colour maps.
#include "figure/color.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/error.h"

namespace headlight {

double linear_light(double s) {
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

namespace {

double linear_from_srgb(std::uint8_t channel) {
    static const auto table = [] {
        std::array<double, 256> linear{};
        for (int k = 0; k < 256; ++k) linear[static_cast<std::size_t>(k)] = linear_light(k / 255.0);
        return linear;
    }();
    return table[channel];
}

/// Returns the nearest of 256 steps: counts the steps that begin at or below the light.
std::uint8_t srgb_from_linear(double c) {
    static const auto begins = [] {
        std::array<double, 255> linear{};
        for (int k = 0; k < 255; ++k)
            linear[static_cast<std::size_t>(k)] = linear_light((k + 0.5) / 255.0);
        return linear;
    }();
    return static_cast<std::uint8_t>(std::upper_bound(begins.begin(), begins.end(), c) -
                                     begins.begin());
}

std::uint8_t blend(std::uint8_t from, std::uint8_t to, double t) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * t));
}

}  // namespace

OkLab oklab_from(Color color) {
    const double r = linear_from_srgb(color.r);
    const double g = linear_from_srgb(color.g);
    const double b = linear_from_srgb(color.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Color color_from(const OkLab& lab) {
    const auto cubed = [](double x) { return x * x * x; };
    const double l = cubed(lab.L + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
    const double m = cubed(lab.L - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
    const double s = cubed(lab.L - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
    return {srgb_from_linear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            srgb_from_linear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            srgb_from_linear(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 255};
}

Color parse_color(const std::string& hex) {
    const auto fail = [&] { return Error("palette", "'{}' is no colour; write #rrggbb", hex); };
    if ((hex.size() != 7 && hex.size() != 9) || hex[0] != '#') throw fail();
    std::uint32_t bits = 0;
    const char* end = hex.data() + hex.size();
    const auto [stop, error] = std::from_chars(hex.data() + 1, end, bits, 16);
    if (error != std::errc() || stop != end) throw fail();
    if (hex.size() == 7) bits = bits << 8 | 0xff;
    return {static_cast<std::uint8_t>(bits >> 24), static_cast<std::uint8_t>(bits >> 16),
            static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits)};
}

Color Mixture::at(double t) const {
    if (t <= 0) return from_;
    if (t >= 1) return to_;
    const OkLab &p = start_, &q = end_;
    Color color = color_from({p.L + (q.L - p.L) * t, p.a + (q.a - p.a) * t, p.b + (q.b - p.b) * t});
    color.a = blend(from_.a, to_.a, t);
    return color;
}

Color mixed(Color from, Color to, double t) {
    return Mixture(from, to).at(t);
}

Color faded(Color color, double opacity) {
    color.a = blend(0, color.a, std::clamp(opacity, 0.0, 1.0));
    return color;
}

double luminance(Color color) {
    return 0.2126 * linear_from_srgb(color.r) + 0.7152 * linear_from_srgb(color.g) +
           0.0722 * linear_from_srgb(color.b);
}

double contrast(Color a, Color b) {
    const double light = std::max(luminance(a), luminance(b));
    const double dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

namespace {

using Cones = double[3][3];
constexpr Cones kNoRed = {{0.152286, 1.052583, -0.204868},
                          {0.114503, 0.786281, 0.099216},
                          {-0.003882, -0.048116, 1.051998}};
constexpr Cones kNoGreen = {{0.367322, 0.860646, -0.227968},
                            {0.280085, 0.672501, 0.047413},
                            {-0.011820, 0.042940, 0.968881}};
constexpr Cones kNoBlue = {{1.255528, -0.076749, -0.178779},
                           {-0.078411, 0.930809, 0.147602},
                           {0.004733, 0.691367, 0.303900}};
constexpr ColorVision kVisions[] = {ColorVision::NoRed, ColorVision::NoGreen, ColorVision::NoBlue};

constexpr std::size_t kVisionStep = 8;  // of 256 colours: rounding hides smaller ones
constexpr double kSignSeen = 0.08;      // in OKLab: two such colours are never taken for each other

std::uint8_t channel_of(double light) {
    const double c = std::clamp(light, 0.0, 1.0);
    const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(255 * encoded));
}

std::vector<OkLab> seen_colors(const std::vector<Color>& colors, ColorVision vision) {
    std::vector<OkLab> seen;
    for (const Color color : colors) seen.push_back(oklab_from(seen_with(color, vision)));
    return seen;
}

/// True if lightness changes one way from `first` to before `end`.
bool runs_one_way(const std::vector<OkLab>& seen, std::size_t first, std::size_t end) {
    const double way = seen[end - 1].L - seen[first].L;
    for (std::size_t k = first; k + kVisionStep < end; ++k)
        if (!((seen[k + kVisionStep].L - seen[k].L) * way > 0)) return false;
    return true;
}

}  // namespace

Color seen_with(Color color, ColorVision vision) {
    const Cones& cones = vision == ColorVision::NoRed     ? kNoRed
                         : vision == ColorVision::NoGreen ? kNoGreen
                                                          : kNoBlue;
    const double light[3] = {linear_from_srgb(color.r), linear_from_srgb(color.g),
                             linear_from_srgb(color.b)};
    std::uint8_t seen[3];
    for (int k = 0; k < 3; ++k) {
        const auto& row = cones[k];
        seen[k] = channel_of(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]);
    }
    return {seen[0], seen[1], seen[2], color.a};
}

bool is_safe_sequence(const std::vector<Color>& colors) {
    return std::ranges::all_of(kVisions, [&](ColorVision vision) {
        return runs_one_way(seen_colors(colors, vision), 0, colors.size());
    });
}

bool is_safe_divergence(const std::vector<Color>& colors) {
    const std::size_t n = colors.size(), middle = n / 2;
    return std::ranges::all_of(kVisions, [&](ColorVision vision) {
        const std::vector<OkLab> seen = seen_colors(colors, vision);
        if (!runs_one_way(seen, 0, middle - kVisionStep / 2) ||
            !runs_one_way(seen, middle + kVisionStep / 2, n))
            return false;
        const double middle_light = seen[middle].L;
        if (!((middle_light - seen.front().L) * (middle_light - seen.back().L) > 0)) return false;
        for (const std::size_t away : {middle / 2, middle - 1}) {
            const OkLab &below = seen[middle - 1 - away], &above = seen[middle + away];
            if (std::hypot(below.L - above.L, below.a - above.a, below.b - above.b) < kSignSeen)
                return false;
        }
        return true;
    });
}

namespace {

constexpr int kMapColors = 256;

/// Returns the colour of that lightness on the way along anchors whose lightness runs one way.
Color at_lightness(const std::vector<Color>& anchors, double lightness) {
    std::size_t k = 0;
    const bool rises = oklab_from(anchors.front()).L < oklab_from(anchors.back()).L;
    while (k + 2 < anchors.size() && rises == (lightness > oklab_from(anchors[k + 1]).L)) ++k;
    const double from = oklab_from(anchors[k]).L, to = oklab_from(anchors[k + 1]).L;
    return mixed(anchors[k], anchors[k + 1], (lightness - from) / (to - from));
}

/// Returns the colour at t in [0,1] along evenly spaced anchors, straight in sRGB, as they are
/// published.
Color at_place(const std::vector<Color>& anchors, double t) {
    const auto n = static_cast<double>(anchors.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(t * n), anchors.size() - 2);
    const Color &from = anchors[k], &to = anchors[k + 1];
    const double share = t * n - static_cast<double>(k);
    return {blend(from.r, to.r, share), blend(from.g, to.g, share), blend(from.b, to.b, share)};
}

}  // namespace

const ColorMap* find_map(std::span<const ColorMap> maps, const std::string& name) {
    for (const ColorMap& map : maps)
        if (map.name == name) return &map;
    return nullptr;
}

std::vector<Color> sequential_colors(const ColorMap& map) {
    const double from = oklab_from(map.anchors.front()).L, to = oklab_from(map.anchors.back()).L;
    std::vector<Color> colors;
    for (int k = 0; k < kMapColors; ++k) {
        const double t = k / (kMapColors - 1.0);
        colors.push_back(map.steps == ColorMap::Steps::Anchors
                             ? at_place(map.anchors, t)
                             : at_lightness(map.anchors, from + (to - from) * t));
    }
    return colors;
}

std::vector<Color> diverging_colors(const ColorMap& map) {
    if (map.steps == ColorMap::Steps::Anchors) return sequential_colors(map);
    const Mixture negative(map.anchors[1], map.anchors[0]),
        positive(map.anchors[1], map.anchors[2]);
    std::vector<Color> colors;
    for (int k = 0; k < kMapColors; ++k) {
        const double t = k / (kMapColors - 1.0) * 2 - 1;
        colors.push_back(t < 0 ? negative.at(-t) : positive.at(t));
    }
    return colors;
}

bool is_safe(const ColorMap& map, MapKind kind) {
    return kind == MapKind::Diverging ? is_safe_divergence(diverging_colors(map))
                                      : is_safe_sequence(sequential_colors(map));
}

}  // namespace headlight
