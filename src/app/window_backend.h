// A place to draw into that sends input events: a real window, or a picture in memory.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "figure/figure.h"
#include "io/studies/window_state.h"
#include "ui/input/input_event.h"

namespace headlight {

struct WindowSize {
    float width = kFirstWidth, height = kFirstHeight;  // points
    float pixels_per_point = 1;

    int width_px() const { return pixels(width); }
    int height_px() const { return pixels(height); }

  private:
    int pixels(float points) const { return static_cast<int>(points * pixels_per_point + 0.5f); }
};

/// The state of a window on the screen, in which it can be opened there again.
struct WindowPlace {
    std::optional<ScreenPlace> corner;  // absent: where the system puts it
    bool is_maximised = false;
    bool has_own_size = true;  // not the screen's
};

enum class ScreenMode { Window, Full };

enum class CursorShape { Arrow, Text, Hand, ResizeHorizontal, ResizeVertical, Cross };

/// A second window, which shows a picture. Keys that are pressed in it are the first window's.
struct PictureWindow {
    /// Opens it on the main screen if there are several; the first window, where it fills a screen,
    /// then leaves that one to it.
    std::function<void()> open;
    std::function<void()> close;
    /// False while it would cover the first window, which fills the only screen.
    std::function<bool()> has_place;
    /// Returns its size; nothing while it is closed, also by the user.
    std::function<std::optional<WindowSize>()> size;
    std::function<void(const Pixels&)> show;
};

struct WindowBackend {
    /// Waits until something happens, at most that long; 0 only looks. Events go to the sink.
    std::function<void(double timeout_secs)> wait;
    /// Ends a wait. The only call that another thread may make.
    std::function<void()> wake;

    /// Returns the window's size now; changes arrive as Resize and Scale events.
    std::function<WindowSize()> size;
    std::function<WindowPlace()> place;
    /// Shows the default framebuffer. The context is current from the start.
    std::function<void()> present;

    /// Makes the window fill the whole monitor that it is on (Full). Back in Window, place and size
    /// are as before.
    std::function<void(ScreenMode)> set_screen;
    std::function<void(CursorShape)> set_cursor;
    std::function<void(const std::string&)> set_title;
    std::function<std::string()> clipboard;
    std::function<void(const std::string&)> set_clipboard;
    PictureWindow second;

    /// False for a window without a screen: time passes only by frames, only a script sends events,
    /// and there is nothing to present, only screenshots.
    bool is_on_screen = true;
};

struct WindowOptions {
    std::string title = "Headlight";
    WindowSize size;  // a real window takes pixels_per_point from its monitor
    WindowPlace place = {};
};

using EventSink = std::function<void(InputEvent)>;
using WindowMaker = std::function<WindowBackend(const WindowOptions&, EventSink)>;

/// A window on the screen. Throws Error if there is no display or no OpenGL 3.3, saying what helps.
WindowBackend make_glfw_window(const WindowOptions& options, EventSink sink);

/// Makes a window without screen, display and clock: EGL draws into a picture. Throws Error naming
/// what is missing.
WindowBackend make_headless_window(const WindowOptions& options, EventSink sink);

/// Makes a window of the canvas in a page, whose events come from page.js. There is one at a time.
/// Throws Error if the browser has no WebGL 2.
WindowBackend make_page_window(const WindowOptions& options, EventSink sink);

}  // namespace headlight
