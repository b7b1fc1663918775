// Rows of a table of formats, found by a file's extension.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <string>

#include "core/error.h"
#include "io/files/file.h"
#include "text/strings.h"

namespace headlight {

/// Returns ".png" for "A.PNG".
inline std::string lower_extension(const std::filesystem::path& file) {
    std::string extension = file.extension().native();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

/// Returns the row whose `extension` the file has, in either case. Throws Error, listing the known
/// ones.
template <typename Format>
const Format& find_by_extension(std::span<const Format> formats,
                                const std::filesystem::path& file) {
    const std::string extension = lower_extension(file);
    std::string known;
    for (const Format& format : formats) {
        if (extension == format.extension) return format;
        append_part(known, ", ", format.extension);
    }
    throw Error(path_text(file), "the extension must be one of {}", known);
}

}  // namespace headlight
