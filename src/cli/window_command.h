// The commands that need the window.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/options.h"
#include "core/matrix.h"
#include "figure/theme.h"

namespace headlight {

class Workbench;

/// The window as a picture, drawn without a display.
struct WindowPicture {
    std::optional<std::string> study;  // the built-in one if absent
    std::string output;                // a PNG file
    float width_px = 1600, height_px = 1000;
    ThemeName theme = ThemeName::Light;
    std::optional<std::string> show;     // see app_state/workspace.h
    bool presents = false;               // a slide instead of the panels
    std::optional<int> step;             // of the shown component, from 1; only for a slide
    float scale = 1;                     // of text and everything else; the picture's size stays
    std::optional<Index> sentence = {};  // from 1
    std::function<void(Workbench&)> arrange = {};  // before the picture is taken
};

/// Opens the window as it was when it was closed last, on the study in `file` if there is one, and
/// returns when it is closed. Throws Error if the file is no study, or if there is no display.
void open_window(const std::optional<std::string>& file);

struct TrainTask;
/// Opens the window on the training of a task, which begins at once. Throws Error if there is no
/// such task, or no display.
void train_in_window(const TrainTask& options);

/// Draws the picture. Throws Error if the study cannot be read, OpenGL is missing or the file
/// cannot be written.
void render_window(const WindowPicture& picture);

/// A script that drives the window.
struct WindowScript {
    std::string study;                 // a file, or the name of a ready-made study
    std::string script;                // a file
    std::string folder = ".";          // for the pictures that it takes
    float width = 1280, height = 800;  // points
    enum class Speed { Fast, Real } speed = Speed::Fast;  // Real: on the screen, for people
    bool accepts_pictures = false;                        // and stores them as the expected ones
};

/// Runs the script. Throws Error, with the script's line, if one cannot be done or something else
/// is seen than expected.
void run_window_script(const WindowScript& options);

/// The picture's size is in pixels; absent: the usual one.
void add_window_options(Options& command, WindowPicture& window, std::optional<Point>& size);

/// The size is of the window, in points.
void add_script_options(Options& command, WindowScript& script, std::optional<Point>& size);

}  // namespace headlight
