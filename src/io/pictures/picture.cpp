#include "io/pictures/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {
namespace {

/// Between the numbers of a picture and light [IEC 61966-2-1, sRGB].
double linear_light(double s) {
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

double encoded_light(double light) {
    return light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

const std::array<double, 256>& lights() {
    static const std::array<double, 256> table = [] {
        std::array<double, 256> all;
        for (int k = 0; k < 256; ++k) all[static_cast<std::size_t>(k)] = linear_light(k / 255.0);
        return all;
    }();
    return table;
}

struct Size {
    int width, height;
};

/// Small pictures stay; others fit a square of kMaxImageSide in whole patches.
Size size_for(const Pixels& picture, int patch) {
    const int longest = std::max(picture.width, picture.height);
    if (longest <= kMaxImageSide) return {picture.width, picture.height};
    const auto shrunk = [&](int side) {
        const double exact = static_cast<double>(side) * kMaxImageSide / longest;
        return std::max(patch, static_cast<int>(std::lround(exact / patch)) * patch);
    };
    return {shrunk(picture.width), shrunk(picture.height)};
}

/// Pixels begin … end − 1 of a side that become pixel `at` of `small` ones; at least one.
struct Span {
    int begin, end;

    Span(int at, int small, int large)
        : begin(static_cast<int>(std::int64_t{at} * large / small)),
          end(std::max(begin + 1, static_cast<int>(std::int64_t{at + 1} * large / small))) {}
};

float mean(const Pixels& picture, Span rows, Span columns, int channel) {
    double sum = 0;
    for (int y = rows.begin; y < rows.end; ++y)
        for (int x = columns.begin; x < columns.end; ++x) {
            const std::uint8_t* pixel = picture.at(x, y);
            const double alpha = pixel[3] / 255.0;
            sum += alpha * lights()[pixel[channel]] + (1 - alpha);
        }
    const double count = double(rows.end - rows.begin) * (columns.end - columns.begin);
    return static_cast<float>(std::lround(encoded_light(sum / count) * 1000) / 1000.0);
}

}  // namespace

ImageStudy image_study(const Pixels& picture) {
    constexpr int kPatch = 4;
    const Size size = size_for(picture, kPatch);
    ImageStudy study{
        .rows = size.height, .columns = size.width, .channels = 3, .pixels = {}, .layer = {}};
    for (int row = 0; row < size.height; ++row)
        for (int column = 0; column < size.width; ++column)
            for (int channel = 0; channel < 3; ++channel)
                study.pixels.push_back(mean(picture, Span(row, size.height, picture.height),
                                            Span(column, size.width, picture.width), channel));
    const bool is_shrunk = size.width != picture.width || size.height != picture.height;
    if (is_shrunk) study.layer.patch = kPatch;
    return study;
}

}  // namespace headlight
