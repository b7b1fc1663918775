// A regular file that is open for reading: no folder, pipe or device, which could hang the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <sys/stat.h>

#include "io/files/system_calls.h"

namespace headlight {

/// The name of a special kind of file (folder, pipe, device); null for a regular file.
const char* special_kind(mode_t mode);

class RegularFile {
  public:
    /// Throws Error, naming the file and the reason, if it cannot be opened or is none.
    explicit RegularFile(std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return static_cast<std::uint64_t>(opened_.st_size); }

    /// Reads from `begin` until `into` is full or the file ends; returns how many bytes came. May
    /// be called from several threads. Throws Error if the file cannot be read.
    std::size_t read_up_to(std::uint64_t begin, std::span<char> into) const;

    /// Throws Error if the file is not the one that was opened any more: changed, replaced or
    /// removed.
    void check_unchanged() const;

  private:
    std::filesystem::path path_;
    Descriptor file_;
    struct stat opened_ {};
};

}  // namespace headlight
