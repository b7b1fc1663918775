// The picture of a study: read from its file, and prepared for a network.
#pragma once

#include <filesystem>

#include "figure/figure.h"
#include "model/document.h"

namespace headlight {

/// True of a PNG or JPEG, by its first bytes.
bool is_picture_file(const std::filesystem::path& file);

/// Makes the study read this picture, prepared in this way. An empty path is the built-in one.
/// Throws Error if the file is no picture, or cannot be prepared.
void give_picture(ImageStudy& study, const std::filesystem::path& file,
                  const PicturePreparation& preparation);

/// Reads the picture of a study that was read from a file in `folder`. Throws Error if the picture
/// is not there or another one.
void reopen_picture(ImageStudy& study, const std::filesystem::path& folder);

}  // namespace headlight
