// Host: what the program finds around itself, on a desktop or in a page, beside the window's
// events.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace headlight {

struct Host {
    /// Asks for a file of the user's, which arrives as one that is dropped; null where the
    /// program's disk is the user's.
    void (*take_file)() = nullptr;
    /// Hands a file that was written to the user; null where it is on the user's disk.
    void (*give_file)(const std::filesystem::path& file) = nullptr;
    /// Asks for a file of a recording that comes later; returns false if nobody can be asked. Empty
    /// where nothing comes later.
    std::function<bool(const std::filesystem::path& file)> ask_file = {};
    /// Copies a PNG to the clipboard. Throws Error, saying what helps, if that fails.
    void (*copy_png)(const std::string& bytes) = nullptr;
    /// True if "Ctrl+T" never reaches the program; null where all keys do.
    bool (*keeps_keys)(const std::string& keys) = nullptr;
    bool has_touch = false;  // a finger points

    /// Sentences that say why something is not there; "" where it is.
    struct {
        const char *pdf = "", *models = "", *second_window = "", *web_pages = "";
    } lacks = {};
};

/// Its members can be replaced, for tests.
Host& host();

/// True if the keys, written as in "Ctrl+Shift+T", never reach the program.
inline bool are_kept_by_host(const std::string& keys) {
    return host().keeps_keys && host().keeps_keys(keys);
}

}  // namespace headlight
