// What is in a folder, and paths that are typed.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace headlight {

/// The names in a folder, in no order, without "." and ".."; what was read before an error.
std::vector<std::filesystem::path> names_in(const std::filesystem::path& folder,
                                            std::error_code& error);

struct FolderEntry {
    std::filesystem::path name;
    bool is_folder = false;  // or a link to one
    std::uintmax_t size_bytes = 0;
    std::time_t changed_at = 0;  // 0: unknown

    bool is_hidden() const { return name.native().starts_with('.'); }
};

struct FolderContents {
    std::vector<FolderEntry> entries;  // folders first, then by name, whatever the case
    std::string problem;               // why there is nothing, or not all; empty: there is all
};

/// Never throws for what is wrong with the folder.
FolderContents list_folder(const std::filesystem::path& folder);

/// What is typed, as a path: "~" is the home folder, what is not absolute is in `folder`.
std::filesystem::path typed_path(const std::filesystem::path& folder, const std::string& typed);

/// What is typed with all that follows from what is there: as far as the names that begin so agree;
/// a slash after the only one if it is a folder. Hidden names only if their point was typed.
std::string complete_path(const std::filesystem::path& folder, const std::string& typed);

/// "1.5 MB"
std::string size_text(std::uintmax_t size_bytes);
/// "2025-11-21 19:05", here; "" if it is unknown.
std::string time_text(std::time_t time);

}  // namespace headlight
