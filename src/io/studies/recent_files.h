// The files and the folders of models that were opened and saved last, in the state folder; all
// windows share the list.
#pragma once

#include <filesystem>
#include <vector>

namespace headlight {

inline constexpr std::size_t kMostRecentFiles = 20;

/// The recent files, newest first, without those that no longer exist. Empty if there is no list or
/// it cannot be read.
std::vector<std::filesystem::path> read_recent_files(const std::filesystem::path& list);

/// Adds the file at the front; does nothing if either path is empty. If the list cannot be written,
/// it stays as it was.
void add_recent_file(const std::filesystem::path& list, const std::filesystem::path& file);

}  // namespace headlight
