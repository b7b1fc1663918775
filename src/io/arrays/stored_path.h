// Paths as text of JSON: any path comes back as it was.
#pragma once

#include <filesystem>
#include <string>

namespace headlight {

/// The path itself if it is valid UTF-8; else "file:" and the path, in which bytes that are not
/// ASCII letters are % and two digits.                                       [RFC 8089]
std::string stored_path(const std::filesystem::path& path);

std::filesystem::path path_from_stored(const std::string& text);

}  // namespace headlight
