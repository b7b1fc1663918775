// Colours as people see them who lack one kind of cones.
#include "paint/colors/color_vision.h"

#include <algorithm>
#include <cmath>

#include "paint/color.h"

namespace headlight {
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

const Cones& cones(ColorVision vision) {
    return vision == ColorVision::NoRed     ? kNoRed
           : vision == ColorVision::NoGreen ? kNoGreen
                                            : kNoBlue;
}

double linear_light(std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

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

/// Lightness changes one way from `first` to before `end`.
bool runs_one_way(const std::vector<OkLab>& seen, std::size_t first, std::size_t end) {
    const double way = seen[end - 1].L - seen[first].L;
    for (std::size_t k = first; k + kVisionStep < end; ++k)
        if (!((seen[k + kVisionStep].L - seen[k].L) * way > 0)) return false;
    return true;
}

double distance_between(const OkLab& a, const OkLab& b) {
    return std::hypot(a.L - b.L, a.a - b.a, a.b - b.b);
}

}  // namespace

Color seen_with(Color color, ColorVision vision) {
    const double light[3] = {linear_light(color.r), linear_light(color.g), linear_light(color.b)};
    std::uint8_t seen[3];
    for (int k = 0; k < 3; ++k) {
        const auto& row = cones(vision)[k];
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
        for (const std::size_t away : {middle / 2, middle - 1})
            if (distance_between(seen[middle - 1 - away], seen[middle + away]) < kSignSeen)
                return false;
        return true;
    });
}

}  // namespace headlight
