// The window that is a picture in memory.
#include <memory>

#include "app/window_backend.h"
#include "render/framebuffer.h"
#include "render/headless_context.h"

namespace headlight {
namespace {

struct HeadlessWindow {
    explicit HeadlessWindow(const WindowSize& start) : size(start) {}

    void bind(const WindowSize& wanted) {
        const int width = wanted.width_px(), height = wanted.height_px();
        const bool fits = picture && picture->width() == width && picture->height() == height;
        if (!fits) picture = std::make_unique<Framebuffer>(width, height);
        picture->bind();
        size = wanted;
    }

    HeadlessContext context;
    WindowSize size;
    std::unique_ptr<Framebuffer> picture;
    std::string clipboard;
};

}  // namespace

WindowBackend make_headless_window(const WindowOptions& options, EventSink) {
    const auto window = std::make_shared<HeadlessWindow>(options.size);
    WindowBackend backend;
    backend.wait = [](double) {};
    backend.wake = [] {};
    backend.size = [window] { return window->size; };
    backend.place = [] { return WindowPlace{}; };
    backend.bind = [window](const WindowSize& size) { window->bind(size); };
    backend.present = [] {};
    backend.set_screen = [](ScreenMode) {};
    backend.set_cursor = [](CursorShape) {};
    backend.set_title = [](const std::string&) {};
    backend.clipboard = [window] { return window->clipboard; };
    backend.set_clipboard = [window](const std::string& text) { window->clipboard = text; };
    backend.has_clock = false;
    return backend;
}

}  // namespace headlight
