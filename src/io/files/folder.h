// The contents of a folder, and typed paths.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace headlight {

/// The names in a folder, in no particular order, without "." and ".."; after an error, the names
/// read so far.
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
    std::string problem;               // the reason why entries are missing; empty: none are
};

/// Lists a folder. Problems of the folder are in the result, not thrown.
FolderContents list_folder(const std::filesystem::path& folder);

/// A typed path: "~" is the home folder, and a relative path is in `folder`.
std::filesystem::path typed_path(const std::filesystem::path& folder, const std::string& typed);

/// Completes a typed path from the names in the folder, as far as all matching names agree. A
/// single matching folder gets a slash. Hidden names match only if their point was typed.
std::string complete_path(const std::filesystem::path& folder, const std::string& typed);

/// Returns the path if nothing is there, else the first free one of "a-2.png", "a-3.png" …
std::filesystem::path free_name(const std::filesystem::path& wanted);

/// "1.5 MB"
std::string size_text(std::uintmax_t size_bytes);
/// Writes a time as "2025-11-21 19:05" in the local time zone; "" if it is unknown.
std::string time_text(std::time_t time);

}  // namespace headlight
