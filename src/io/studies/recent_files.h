// The files that were opened and saved last, in the state folder; all windows share the list.
#pragma once

#include <filesystem>
#include <vector>

namespace headlight {

inline constexpr std::size_t kMostRecentFiles = 20;

/// The newest first; those that are gone are left out. Empty if there is no such list, or if it is
/// not what add_recent_file wrote.
std::vector<std::filesystem::path> read_recent_files(const std::filesystem::path& list);

/// At the front; nothing if either is empty. A convenience: where the list cannot be written, it
/// stays as it was.
void add_recent_file(const std::filesystem::path& list, const std::filesystem::path& file);

}  // namespace headlight
