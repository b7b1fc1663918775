// A picture in a file, and how it becomes the pixels that a network reads. Plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

/// The filter that resizes a picture: those of Pillow, see io/pictures/resample.h.
enum class Resample { Nearest, Lanczos, Bilinear, Bicubic, Box, Hamming };

/// Rows and columns of pixels.
struct PictureSize {
    int rows = 0, columns = 0;

    bool is_empty() const { return rows == 0; }
    bool operator==(const PictureSize&) const = default;
};

/// The steps of preparing a picture: it is first resized, then its middle is cut out.
struct PicturePreparation {
    Resample resample = Resample::Bilinear;
    int shortest = 0;       // > 0: the length of the shorter side, in the picture's proportions
    PictureSize size = {};  // else the size, whatever the proportions; empty: as it is
    PictureSize crop = {};  // the size that is cut out; empty: all

    bool operator==(const PicturePreparation&) const = default;
};

/// A study's reference to its picture; the pixels are in the file.
struct ImageFile {
    std::string file;            // absolute; empty: the picture that comes with the program
    std::uint64_t checksum = 0;  // of the file's bytes
    PicturePreparation preparation = {};
    std::shared_ptr<const std::vector<float>> pixels = {};  // prepared; null: it is not open

    /// Compares only the questions.
    bool operator==(const ImageFile& other) const {
        return file == other.file && checksum == other.checksum && preparation == other.preparation;
    }
};

}  // namespace headlight
