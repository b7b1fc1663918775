// Any file that can be opened as a study of its own.
#pragma once

#include <filesystem>

#include "model/document.h"

namespace headlight {

/// A study (its first character is a brace), or an edge list: then a graph study with a layout,
/// named after the file. Throws Error with the file and the line.
Document open_document(const std::filesystem::path& file);

}  // namespace headlight
