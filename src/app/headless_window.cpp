// The window that is a picture in memory.
#include <memory>

#include "app/window_backend.h"
#include "render/gl_context.h"

namespace headlight {
namespace {

struct HeadlessWindow {
    HeadlessContext context;
    std::string clipboard;
    bool has_second = false;
};

constexpr WindowSize kSecond{960, 540, 1};

}  // namespace

WindowBackend make_headless_window(const WindowOptions& options, EventSink) {
    const auto window = std::make_shared<HeadlessWindow>();
    WindowBackend backend;
    backend.wait = [](double) {};
    backend.wake = [] {};
    backend.size = [size = options.size] { return size; };
    backend.place = [] { return WindowPlace{}; };
    backend.set_screen = [](ScreenMode) {};
    backend.set_cursor = [](CursorShape) {};
    backend.set_title = [](const std::string&) {};
    backend.clipboard = [window] { return window->clipboard; };
    backend.set_clipboard = [window](const std::string& text) { window->clipboard = text; };
    backend.second = {
        .open = [window] { window->has_second = true; },
        .close = [window] { window->has_second = false; },
        .has_place = [] { return true; },
        .size = [window] { return window->has_second ? std::optional(kSecond) : std::nullopt; },
        .show = [](const Pixels&) {}};
    backend.is_on_screen = false;
    return backend;
}

}  // namespace headlight
