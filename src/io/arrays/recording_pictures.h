// The pictures whose patches a recording is about, read from their files when they are looked at.
#pragma once

#include <filesystem>
#include <memory>

#include "io/arrays/recording_index.h"

namespace headlight {

/// Matrices by text: one row a pixel, its red, green and blue from 0 to 1; null if the texts have
/// no pictures. Throws Error if a picture is not in the folder; reading throws Error, naming the
/// picture, if it is none or not of the size that the index says.
std::shared_ptr<const MatrixSource> pictures_in_folder(const RecordingIndex& index,
                                                       const std::filesystem::path& folder);

}  // namespace headlight
