#include "io/pictures/picture_size.h"

#include "core/error.h"
#include "io/pictures/picture.h"

namespace headlight {

void check_picture_size(std::uint64_t width, std::uint64_t height, const std::string& source) {
    const std::string size = std::to_string(width) + " × " + std::to_string(height) + " pixels";
    if (width == 0 || height == 0) throw Error(source, "is empty: " + size);
    if (width > kMaxPictureSide || height > kMaxPictureSide || width * height > kMaxPicturePixels)
        throw Error(source, "has " + size +
                                "; at most 16,384 a side and 64 million are read. "
                                "Shrink it, and open it again");
}

}  // namespace headlight
