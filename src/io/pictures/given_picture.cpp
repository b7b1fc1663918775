#include "io/pictures/given_picture.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/pictures/picture.h"
#include "io/pictures/resample.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

bool is_png_picture(std::string_view bytes) {
    return bytes.starts_with("\x89PNG");
}

bool is_jpeg_picture(std::string_view bytes) {
    return bytes.starts_with("\xFF\xD8\xFF");
}

Pixels read_picture(std::string_view bytes, const std::string& source) {
    if (is_png_picture(bytes)) return read_png(bytes, source);
    if (is_jpeg_picture(bytes)) return read_jpeg(bytes, source, {.is_whole = true});
    throw Error(source, "is no picture that is read: PNG or JPEG");
}

/// Returns the size that a picture has once it is prepared.
PictureSize prepared_size(const PicturePreparation& how, PictureSize picture) {
    if (!how.crop.is_empty()) return how.crop;
    if (how.shortest == 0) return how.size.is_empty() ? picture : how.size;
    const bool is_wide = picture.rows <= picture.columns;
    const std::int64_t shorter = is_wide ? picture.rows : picture.columns,
                       longer = is_wide ? picture.columns : picture.rows;
    const int length = static_cast<int>(std::min<std::int64_t>(
        kMaxPreparedSide + 1, longer * how.shortest / std::max<std::int64_t>(1, shorter)));
    return is_wide ? PictureSize{how.shortest, length} : PictureSize{length, how.shortest};
}

Pixels prepared(Pixels picture, const PicturePreparation& how, const std::string& source) {
    picture = over_white(std::move(picture));
    PicturePreparation uncut = how;
    uncut.crop = {};
    const PictureSize size = prepared_size(uncut, {picture.height, picture.width});
    if (std::max(size.rows, size.columns) > kMaxPreparedSide)
        throw Error(source,
                    "is {} pixels large when it is prepared; at most {} on a side are computed",
                    shape_text(size.columns, size.rows), kMaxPreparedSide);
    picture = resized(picture, size, how.resample);
    return how.crop.is_empty() ? picture : middle_of(picture, how.crop, source);
}

std::vector<float> numbers_of(const Pixels& picture) {
    std::vector<float> numbers;
    numbers.reserve(picture.rgba.size() / 4 * 3);
    for (std::size_t k = 0; k < picture.rgba.size(); ++k)
        if (k % 4 != 3) numbers.push_back(static_cast<float>(picture.rgba[k] / 255.0));
    return numbers;
}

constexpr int kWidth = 256, kHeight = 256;  // square, as what most networks read
constexpr int kLeft = 24, kTop = -8;        // the corner of the scene
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

/// True of a point in the tree's crown, of three discs; the light comes from the upper right.
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

/// Returns the scene's colours at a point, 0 … 255 each; y points down.
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

/// The picture that comes with the program: a tree in front of hills, 256 × 256 pixels.
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

}  // namespace

bool is_picture_file(const fs::path& file) {
    constexpr std::size_t kFirstBytes = 8;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return false;
    const std::string bytes = read_beginning(file, kFirstBytes);
    return is_png_picture(bytes) || is_jpeg_picture(bytes);
}

void give_picture(ImageStudy& study, const fs::path& file, const PicturePreparation& preparation) {
    ImageFile given;
    given.preparation = preparation;
    Pixels picture;
    if (file.empty()) {
        picture = built_in_picture();
    } else {
        const std::string bytes = read_dense_file(file);
        std::error_code ignored;
        given.file = fs::absolute(file, ignored).lexically_normal().native();
        given.checksum = checksum(bytes);
        picture = read_picture(bytes, path_text(file));
    }
    picture = prepared(std::move(picture), preparation,
                       file.empty() ? "the built-in picture" : path_text(file));
    given.pixels = std::make_shared<const std::vector<float>>(numbers_of(picture));
    study.rows = picture.height, study.columns = picture.width, study.channels = 3;
    study.pixels.clear();
    study.picture = std::move(given);
}

void reopen_picture(ImageStudy& study, const fs::path& folder) {
    if (!study.picture) return;
    const ImageFile before = *study.picture;
    const fs::path file = before.file.empty() ? fs::path() : folder / before.file;
    ImageStudy opened = study;
    give_picture(opened, file, before.preparation);
    if (before.checksum != 0 && opened.picture->checksum != before.checksum)
        throw Error(path_text(file),
                    "is another picture than the study was saved with; bring that one back, or "
                    "give this one anew");
    study = std::move(opened);
}

}  // namespace headlight
