// A new file beside the one that it is to replace.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>

#include "io/files/system_calls.h"

namespace headlight {

/// A temporary file, removed again unless it took the place of its target. It is locked while it is
/// written, so that the stale file of a killed program can be recognised. Throws Error, in the name
/// of the target.
class TemporaryFile {
  public:
    TemporaryFile(const std::filesystem::path& target, mode_t mode);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Takes over owner and permissions of the file to replace.
    void look_like(const struct stat& old);
    void write(std::string_view bytes);
    void flush();
    /// Flushes the file and moves it to its target. The open and locked file is given away.
    Descriptor take_place();

  private:
    std::filesystem::path target_, path_;
    Descriptor file_;
    bool is_in_place_ = false;
};

/// Returns a path in that folder under a name that no other process gets, even where process
/// numbers come again, as they do in containers.
std::filesystem::path own_file(const std::filesystem::path& folder, std::string_view extension);

/// Writes the file, which only this user can read, in a single step. It is locked as long as the
/// result lives, at most as long as the process. Throws Error.
Descriptor write_own_file(const std::filesystem::path& file, std::string_view bytes);

/// Returns the file, locked, if the process that wrote it is gone; else nothing.
std::optional<Descriptor> take_left_file(const std::filesystem::path& file);

/// Gives the file a second name, in place of whatever `copy` was; false if that cannot be.
bool link_file(const std::filesystem::path& file, const std::filesystem::path& copy);

/// Makes a rename in the file's folder survive a power cut. Where it cannot, the file is whole all
/// the same.
void flush_folder(const std::filesystem::path& file);

/// Removes temporary files that a killed program has left in the file's folder.
void remove_stale_files(const std::filesystem::path& file);

/// Writes all bytes. Throws Error in the name of `path`.
void write_all(const Descriptor& file, const std::filesystem::path& path, std::string_view bytes);

/// Throws Error with `what` and the reason in errno.
[[noreturn]] void fail_errno(const std::filesystem::path& path, const std::string& what);

}  // namespace headlight
