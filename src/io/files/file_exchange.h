// How files come and go where the program's disk is not the user's, as in a page.
#pragma once

#include <filesystem>
#include <functional>

namespace headlight {

struct FileExchange {
    std::function<void()> take = {};  // asks for a file, which arrives as one that is dropped
    std::function<void(const std::filesystem::path&)> give = {};  // called after each write_file
    /// Asks for a file of a recording that comes later; returns false if nobody can be asked.
    std::function<bool(const std::filesystem::path&)> ask = {};
};

/// All are empty in a program that shares its disk with the user.
void set_file_exchange(FileExchange exchange);
const FileExchange& file_exchange();

}  // namespace headlight
