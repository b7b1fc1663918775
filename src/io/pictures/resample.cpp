#include "io/pictures/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/error.h"
#include "core/matrix.h"

namespace headlight {
namespace {

constexpr int kWeightBits = 22;
constexpr int kColours = 3;

// ---- filters: the weight of a pixel at a distance, in pixels of the smaller picture ----

double box_filter(double x) {
    return x > -0.5 && x <= 0.5 ? 1 : 0;
}

double triangle_filter(double x) {
    return std::max(0.0, 1 - std::abs(x));
}

double sinc(double x) {
    return x == 0 ? 1 : std::sin(x * std::numbers::pi) / (x * std::numbers::pi);
}

double hamming_filter(double x) {
    x = std::abs(x);
    return x >= 1 ? 0 : sinc(x) * (0.54 + 0.46 * std::cos(x * std::numbers::pi));
}

/// Keys 1981, with a = −1/2.
double cubic_filter(double x) {
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

double lanczos_filter(double x) {
    return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

struct Filter {
    double (*weight)(double distance);
    double reach;
};

Filter filter_for(Resample filter) {
    switch (filter) {
        case Resample::Lanczos:
            return {lanczos_filter, 3};
        case Resample::Bicubic:
            return {cubic_filter, 2};
        case Resample::Box:
            return {box_filter, 0.5};
        case Resample::Hamming:
            return {hamming_filter, 1};
        case Resample::Nearest:
        case Resample::Bilinear:
            break;
    }
    return {triangle_filter, 1};
}

/// The pixels of a side that one of the new side is a mean of.
struct Mean {
    int first = 0;
    std::vector<std::int32_t> weights;  // times 2^22; they sum to about that
};

std::vector<double> shares(const Filter& filter, double center, double scale, int first,
                           int count) {
    std::vector<double> weights;
    double sum = 0;
    for (int k = 0; k < count; ++k) {
        weights.push_back(filter.weight((k + first - center + 0.5) * (1 / scale)));
        sum += weights.back();
    }
    for (double& weight : weights)
        if (sum != 0) weight /= sum;
    return weights;
}

std::vector<Mean> means_for(int from, int to, const Filter& filter) {
    const double step = static_cast<double>(from) / to, scale = std::max(1.0, step);
    const double reach = filter.reach * scale;
    std::vector<Mean> means(static_cast<std::size_t>(to));
    for (int at = 0; at < to; ++at) {
        const double center = (at + 0.5) * step;
        const int first = std::max(0, static_cast<int>(center - reach + 0.5));
        const int end = std::min(from, static_cast<int>(center + reach + 0.5));
        Mean& mean = means[static_cast<std::size_t>(at)];
        mean.first = first;
        for (const double share : shares(filter, center, scale, first, end - first))
            mean.weights.push_back(
                static_cast<std::int32_t>(share * (1 << kWeightBits) + (share < 0 ? -0.5 : 0.5)));
    }
    return means;
}

Pixels blank(int width, int height) {
    return {width, height,
            std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * height, 255)};
}

/// Writes the mean of pixels that lie `stride` bytes apart.
void write_mean(const Mean& mean, const std::uint8_t* first, std::ptrdiff_t stride,
                std::uint8_t* to) {
    std::array<std::int32_t, kColours> sums;
    sums.fill(1 << (kWeightBits - 1));
    for (const std::int32_t weight : mean.weights) {
        for (std::size_t c = 0; c < kColours; ++c) sums[c] += weight * first[c];
        first += stride;
    }
    for (std::size_t c = 0; c < kColours; ++c)
        to[c] = static_cast<std::uint8_t>(std::clamp(sums[c] >> kWeightBits, 0, 255));
}

Pixels with_columns(const Pixels& picture, int width, const Filter& filter) {
    const std::vector<Mean> means = means_for(picture.width, width, filter);
    Pixels result = blank(width, picture.height);
    std::uint8_t* to = result.rgba.data();
    for (int y = 0; y < picture.height; ++y)
        for (const Mean& mean : means) {
            write_mean(mean, picture.at(mean.first, y), 4, to);
            to += 4;
        }
    return result;
}

Pixels with_rows(const Pixels& picture, int height, const Filter& filter) {
    const std::vector<Mean> means = means_for(picture.height, height, filter);
    Pixels result = blank(picture.width, height);
    std::uint8_t* to = result.rgba.data();
    for (const Mean& mean : means)
        for (int x = 0; x < picture.width; ++x) {
            write_mean(mean, picture.at(x, mean.first), std::ptrdiff_t{4} * picture.width, to);
            to += 4;
        }
    return result;
}

/// Returns the place of the nearest pixel for each new one. Places are added up, as Pillow does:
/// where one falls between two pixels depends on it.
std::vector<int> nearest_places(int from, int to) {
    const double step = static_cast<double>(from) / to;
    std::vector<int> places;
    double at = step * 0.5;
    for (int k = 0; k < to; ++k, at += step) places.push_back(std::min(from - 1, int(at)));
    return places;
}

Pixels with_nearest(const Pixels& picture, PictureSize size) {
    const std::vector<int> rows = nearest_places(picture.height, size.rows),
                           columns = nearest_places(picture.width, size.columns);
    Pixels result{size.columns, size.rows, {}};
    for (const int y : rows)
        for (const int x : columns) {
            const std::uint8_t* pixel = picture.at(x, y);
            result.rgba.insert(result.rgba.end(), pixel, pixel + 4);
        }
    return result;
}

}  // namespace

Pixels over_white(Pixels picture) {
    for (std::size_t k = 0; k < picture.rgba.size(); k += 4) {
        const int alpha = picture.rgba[k + 3];
        for (std::size_t c = 0; c < kColours; ++c)
            picture.rgba[k + c] = static_cast<std::uint8_t>(
                (picture.rgba[k + c] * alpha + 255 * (255 - alpha) + 127) / 255);
        picture.rgba[k + 3] = 255;
    }
    return picture;
}

Pixels resized(const Pixels& picture, PictureSize size, Resample filter) {
    const bool is_wide = picture.width != size.columns, is_high = picture.height != size.rows;
    if (!is_wide && !is_high) return picture;
    if (filter == Resample::Nearest) return with_nearest(picture, size);
    const Filter how = filter_for(filter);
    if (!is_wide) return with_rows(picture, size.rows, how);
    const Pixels across = with_columns(picture, size.columns, how);
    return is_high ? with_rows(across, size.rows, how) : across;
}

Pixels middle_of(const Pixels& picture, PictureSize size, const std::string& source) {
    if (size.rows > picture.height || size.columns > picture.width)
        throw Error(source,
                    "is {} pixels large after it was resized; the model reads {} of its middle",
                    shape_text(picture.width, picture.height), shape_text(size.columns, size.rows));
    const int top = (picture.height - size.rows) / 2, left = (picture.width - size.columns) / 2;
    Pixels result{size.columns, size.rows, {}};
    for (int y = 0; y < size.rows; ++y) {
        const std::uint8_t* row = picture.at(left, top + y);
        result.rgba.insert(result.rgba.end(), row, row + std::ptrdiff_t{4} * size.columns);
    }
    return result;
}

}  // namespace headlight
