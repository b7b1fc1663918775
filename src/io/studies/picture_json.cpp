#include "io/studies/picture_json.h"

#include "io/arrays/stored_path.h"
#include "io/files/checksum.h"
#include "model/document.h"
#include "model/settings/setting_words.h"

namespace headlight {
namespace {

/// [rows, columns]
PictureSize read_picture_size(const JsonView& picture, const char* key) {
    const auto found = picture.find(key);
    if (!found) return {};
    if (found->size() != 2) found->fail("must be [rows, columns]");
    const auto side = [&](std::size_t k) {
        return static_cast<int>((*found)[k].integer(1, kMaxPreparedSide));
    };
    return {side(0), side(1)};
}

}  // namespace

GivenPicture read_given_picture(const JsonView& picture) {
    picture.expect_keys({"file", "checksum", "resample", "shortest", "size", "crop"});
    GivenPicture given;
    if (const auto file = picture.find("file"))
        given.file = path_from_stored(file->text()).native();
    if (const auto digits = picture.find("checksum")) {
        const auto sum = parse_checksum(digits->text());
        if (!sum) digits->fail("must be the 16 digits of a checksum");
        given.checksum = *sum;
    }
    PicturePreparation& preparation = given.preparation;
    if (const auto resample = picture.find("resample"))
        preparation.resample = resample->choice(kResampleWords);
    if (const auto shortest = picture.find("shortest"))
        preparation.shortest = static_cast<int>(shortest->integer(1, kMaxPreparedSide));
    preparation.size = read_picture_size(picture, "size");
    preparation.crop = read_picture_size(picture, "crop");
    if (preparation.shortest > 0 && !preparation.size.is_empty())
        picture.fail("has a size or its shortest side, not both");
    return given;
}

}  // namespace headlight
