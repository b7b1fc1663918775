// A folder for one test.
#pragma once

#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <system_error>

#include "io/files/file.h"

namespace headlight {

/// An empty folder with a space in its name. It is removed with its contents at the end.
class TemporaryFolder {
  public:
    TemporaryFolder()
        : path_(std::filesystem::temp_directory_path() /
                ("headlight test " + std::to_string(std::random_device{}()))) {
        std::filesystem::create_directory(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).native(); }
    /// Writes a file and returns its path.
    std::string with(const std::string& name, const std::string& bytes) const {
        write_file(file(name), bytes);
        return file(name);
    }
    bool is_empty() const { return std::filesystem::is_empty(path_); }
    std::ptrdiff_t count() const {  // the number of entries
        return std::distance(std::filesystem::directory_iterator(path_),
                             std::filesystem::directory_iterator());
    }

  private:
    std::filesystem::path path_;
};

}  // namespace headlight
