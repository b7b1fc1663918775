// The picture that comes with the program, drawn from a few shapes.
#include <algorithm>
#include <cmath>

#include "io/pictures/given_picture.h"

namespace headlight {
namespace {

constexpr int kWidth = 256, kHeight = 256;  // square, as what most networks read
constexpr int kLeft = 24, kTop = -8;        // where the scene begins
constexpr int kSamples = 4;                 // of a pixel, on a side: edges are smooth

struct Paint {
    float red, green, blue;
};

Paint blend(const Paint& a, const Paint& b, float share) {
    return {a.red + share * (b.red - a.red), a.green + share * (b.green - a.green),
            a.blue + share * (b.blue - a.blue)};
}

bool is_in_disc(float x, float y, float center_x, float center_y, float radius) {
    return std::hypot(x - center_x, y - center_y) <= radius;
}

/// The tree's crown, of three discs; the light comes from the upper right.
bool is_crown(float x, float y) {
    return is_in_disc(x, y, 98, 92, 40) || is_in_disc(x, y, 66, 112, 29) ||
           is_in_disc(x, y, 130, 114, 30);
}

float far_hills(float x) {
    return 138 - 15 * std::sin(x / 46) - 6 * std::sin(x / 17 + 1);
}

float meadow(float x) {
    return 168 + 9 * std::sin(x / 70 + 2);
}

/// The scene at a point, 0 … 255 a colour; y points down.
Paint scene_at(float x, float y) {
    if (is_crown(x, y))
        return blend({28, 92, 44}, {92, 158, 62}, std::clamp((x - y) / 90, 0.0f, 1.0f));
    if (std::abs(x - 98) < 8 && y > 120 && y < 196) return {104, 72, 44};
    if (is_in_disc(x, y, 232, 196, 17))
        return blend({196, 40, 34}, {246, 120, 96}, is_in_disc(x, y, 238, 189, 6) ? 0.8f : 0.0f);
    if (std::hypot((x - 232) / 21, (y - 214) / 5) < 1) return {74, 118, 44};
    if (y > meadow(x)) return blend({134, 178, 74}, {86, 140, 52}, (y - 160) / 80);
    if (y > far_hills(x)) return blend({116, 152, 136}, {142, 176, 138}, (y - 110) / 60);
    if (is_in_disc(x, y, 246, 52, 24)) return {255, 221, 112};
    return blend({92, 158, 222}, {206, 230, 244}, y / 150);
}

}  // namespace

Pixels built_in_picture() {
    Pixels picture{kWidth, kHeight, {}};
    for (int pixel = 0; pixel < kWidth * kHeight; ++pixel) {
        Paint sum{0, 0, 0};
        for (int k = 0; k < kSamples * kSamples; ++k) {
            const auto at = [](int whole, int part) {
                return static_cast<float>(whole) +
                       (static_cast<float>(part) + 0.5f) / static_cast<float>(kSamples);
            };
            const Paint sample = scene_at(at(kLeft + pixel % kWidth, k % kSamples),
                                          at(kTop + pixel / kWidth, k / kSamples));
            sum = {sum.red + sample.red, sum.green + sample.green, sum.blue + sample.blue};
        }
        for (const float colour : {sum.red, sum.green, sum.blue})
            picture.rgba.push_back(
                static_cast<std::uint8_t>(std::lround(colour / (kSamples * kSamples))));
        picture.rgba.push_back(255);
    }
    return picture;
}

}  // namespace headlight
