// preprocessor_config.json of a model's folder says how a picture is prepared for the model.
#pragma once

#include <array>
#include <filesystem>

#include "model/settings/picture.h"

namespace headlight {

/// A pixel x, 0 … 1, is read as (x − mean) / deviation, channel by channel.
struct PictureProcessor {
    PicturePreparation preparation;
    std::array<float, 3> mean = {0, 0, 0}, deviation = {1, 1, 1};

    bool normalizes() const;
};

inline constexpr const char* kPictureProcessorFile = "preprocessor_config.json";

/// Reads the file as transformers' image processors do. Throws Error with the line and the key for
/// settings that are not supported, or if the pictures that it makes are not of `size`.
PictureProcessor read_picture_processor(const std::filesystem::path& folder, PictureSize size);

}  // namespace headlight
