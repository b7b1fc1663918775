// The state of the window when it was closed, and the files that were opened last: small files in
// the user's state folder.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/theme.h"

namespace headlight {

/// The place of a window on the screen, in the screen's own units.
struct ScreenPlace {
    int x = 0, y = 0;

    bool operator==(const ScreenPlace&) const = default;
};

/// The size of a window that was never closed before.
inline constexpr float kFirstWidth = 1600, kFirstHeight = 1000;  // points

/// The files that were open in a workspace, in the order of their tabs.
struct OpenFiles {
    std::vector<std::string> names = {};
    std::size_t shown = 0;  // the shown one; none if it is not less than their number

    bool operator==(const OpenFiles&) const = default;
};

struct WindowState {
    float width = kFirstWidth, height = kFirstHeight;  // points, when it is not maximised
    bool is_maximised = false;
    std::optional<ScreenPlace> place;
    ThemeName theme = ThemeName::Light;
    float zoom = 1;
    int workspace = 0;               // the one that was shown
    std::array<OpenFiles, 4> files;  // in each workspace
    std::string lecture = {};        // the lecture's; empty: none was open, or it has no file
    int lecture_page = 0;            // the chosen one, from 0

    bool operator==(const WindowState&) const = default;
};

/// Returns $XDG_STATE_HOME/headlight, else ~/.local/state/headlight. Empty if neither folder is
/// known.
std::filesystem::path state_folder();

/// Reads the state. Returns nothing if there is no such file, or if it is not one that
/// write_window_state wrote: a window opens anyway.
std::optional<WindowState> read_window_state(const std::filesystem::path& file);

/// Parses the text that write_window_state wrote. Throws Error with the line, the key and what is
/// allowed there.
WindowState parse_window_state(std::string_view bytes, const std::string& source);

/// Writes the state, and makes the folder if need be. Throws Error with the reason if it cannot be
/// written.
void write_window_state(const std::filesystem::path& file, const WindowState& state);

inline constexpr std::size_t kMostRecentFiles = 20;

/// The recent files, newest first, without those that no longer exist. Empty if there is no list or
/// it cannot be read.
std::vector<std::filesystem::path> read_recent_files(const std::filesystem::path& list);

/// Adds the file at the front; does nothing if either path is empty. If the list cannot be written,
/// it stays as it was.
void add_recent_file(const std::filesystem::path& list, const std::filesystem::path& file);

}  // namespace headlight
