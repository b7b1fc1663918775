// Whole files: read into memory, written completely or not at all, and watched for changes by other
// programs.
//
// Goals: a file that is not what it seems (a folder, a pipe, a device, endless) never hangs the
// program; a failed or interrupted write leaves the old file as it was.
// Not goals: memory mapping (a mapped file that shrinks kills the program).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// Returns the bytes of a regular file. Throws Error, naming the file and the reason, if there is
/// none, if it may not be read, is not a regular file, or is larger than `max_bytes` (without it,
/// than limits() say).
std::string read_file(const std::filesystem::path& path);
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes);
/// Reads a file of JSON, GraphML or a picture as read_file does, with the smaller size limit of
/// these formats.
std::string read_dense_file(const std::filesystem::path& path);

/// The first bytes of a regular file, up to the given number. The file may be of any size;
/// otherwise it throws Error as read_file does.
std::string read_beginning(const std::filesystem::path& path, std::size_t max_bytes);

/// Says if the old file is kept beside the new one: see backup_path.
enum class Backup { None, Keep };

/// Replaces the file, or makes it: a temporary file in the same folder is written, flushed to the
/// disk, then renamed. Links are followed; the permissions stay. Throws Error with the reason; then
/// the old file is as it was and the temporary one is gone.
void write_file(const std::filesystem::path& path, std::string_view bytes,
                Backup backup = Backup::None);

/// True if there is anything of that name, be it a link to nothing.
bool is_there(const std::filesystem::path& path);

/// "study.headlight~"
std::filesystem::path backup_path(const std::filesystem::path& file);

/// Makes the folders that the file's path names and that are missing. Throws Error with the reason.
void make_parent_folder(const std::filesystem::path& path);

/// Throws Error if the output is one of the inputs, by whatever links, since the input would be
/// lost. Inputs may be empty or missing.
void check_is_no_input(const std::filesystem::path& output,
                       std::span<const std::filesystem::path> inputs);

/// A path as one line of valid text, for messages.
std::string path_text(const std::filesystem::path& path);

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
