// Pictures from outside: PNG and JPEG, as the pixels of an image study.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "figure/figure.h"
#include "model/document.h"

namespace headlight {

/// The largest picture that is read.
inline constexpr int kMaxPictureSide = 16'384;
inline constexpr std::int64_t kMaxPicturePixels = 64'000'000;

/// Reads every colour type and depth; of animations the first frame. Throws Error, with `source`,
/// for a file that is damaged, incomplete or larger than the limits.
Pixels read_png(std::string_view bytes, const std::string& source);

struct JpegOptions {
    bool is_whole = false;  // else a large one may be read smaller
};

/// Reads grey and colour of 8 bits, turned as its EXIF says. A picture that need not be whole is
/// read in halves, quarters or eighths where it is large, at least kMaxImageSide on the longer
/// side. Throws Error, with `source`, for a file that is damaged, incomplete, CMYK or larger than
/// the limits.
Pixels read_jpeg(std::string_view bytes, const std::string& source,
                 const JpegOptions& options = {});

/// Makes a study of the picture over white, with three channels. A picture with a side of more than
/// kMaxImageSide pixels is shrunk, by means of light, to patches of 4 × 4. A small one keeps its
/// pixels.
ImageStudy image_study(const Pixels& picture);

}  // namespace headlight
