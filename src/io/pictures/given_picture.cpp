#include "io/pictures/given_picture.h"

#include <algorithm>
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
    if (is_jpeg_picture(bytes)) return read_jpeg(bytes, source, JpegSize::Whole);
    throw Error(source, "is no picture that is read: PNG or JPEG");
}

std::string absolute_text(const fs::path& path) {
    std::error_code ignored;
    return fs::absolute(path, ignored).lexically_normal().native();
}

void check_prepared_size(PictureSize size, const std::string& source) {
    if (std::max(size.rows, size.columns) > kMaxPreparedSide)
        throw Error(source, "is " + shape_text(size.columns, size.rows) +
                                " pixels large when it is prepared; at most " +
                                std::to_string(kMaxPreparedSide) + " on a side are computed");
}

Pixels prepared(Pixels picture, const PicturePreparation& how, const std::string& source) {
    picture = over_white(std::move(picture));
    PicturePreparation uncut = how;
    uncut.crop = {};
    const PictureSize size = prepared_size(uncut, {picture.height, picture.width});
    check_prepared_size(size, source);
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

}  // namespace

bool is_picture_file(const fs::path& file) {
    constexpr std::size_t kFirstBytes = 8;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return false;
    const std::string bytes = read_beginning(file, kFirstBytes);
    return is_png_picture(bytes) || is_jpeg_picture(bytes);
}

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

void give_picture(ImageStudy& study, const fs::path& file, const PicturePreparation& preparation) {
    GivenPicture given;
    given.preparation = preparation;
    Pixels picture;
    if (file.empty()) {
        picture = built_in_picture();
    } else {
        const std::string bytes = read_dense_file(file);
        given.file = absolute_text(file);
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
    const GivenPicture before = *study.picture;
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
