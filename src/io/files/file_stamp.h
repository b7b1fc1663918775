// The state of a file when it was read or written, so that changes by other programs are noticed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace headlight {

struct FileStamp {
    /// The time of the last change and the size, as the system reports them. Cheap to ask for.
    struct Look {
        std::int64_t changed_at_ns = 0;
        std::uint64_t size_bytes = 0, inode = 0;

        bool operator==(const Look&) const = default;
    };

    std::optional<std::uint64_t> contents;  // their checksum; absent: there was no such file
    std::optional<Look> look;               // with which it was known to have these contents
};

/// A file with these bytes, as far as is known.
FileStamp make_stamp(std::string_view bytes);

/// The file as it is now.
FileStamp read_stamp(const std::filesystem::path& file);

/// True if the file's contents differ from `known`. A file that is missing or unreadable counts as
/// unchanged: nothing would be lost by writing it. Reads the contents only if size or time differ,
/// and then updates these in `known`.
bool is_changed(const std::filesystem::path& file, FileStamp& known);

}  // namespace headlight
