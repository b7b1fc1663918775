// PartFile: a file that is being downloaded. It has the file's name, and ".part" behind it, until
// it is whole; what is there of it stays when the program ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "io/files/system_calls.h"

namespace headlight {

class PartFile {
  public:
    /// Opens what is there of the file, or begins it. Throws Error, naming it, if it cannot be
    /// written, or if another program is writing it.
    explicit PartFile(const std::filesystem::path& target);

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }

    /// Drops what is behind that byte.
    void cut(std::uint64_t size);
    void append(std::string_view bytes);  // throws Error, as that the disk is full

    void take_place();  // the file is whole
    void remove();      // the file is not what it should be

  private:
    std::filesystem::path target_, path_;
    Descriptor file_;
    std::uint64_t size_ = 0;
};

std::filesystem::path part_path(const std::filesystem::path& target);

}  // namespace headlight
