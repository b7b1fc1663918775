// The window in a page: a canvas of the browser.
#include <emscripten/em_js.h>
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "app/window_backend.h"
#include "core/error.h"
#include "ui/input/input_queue.h"

// clang-format off
EM_JS(void, page_wake, (), { Module.page.wake(); });
EM_JS(void, page_fill_screen, (int fills), { Module.page.fillScreen(fills != 0); });
EM_JS(void, page_set_cursor, (const char* name), { Module.canvas.style.cursor = UTF8ToString(name); });
EM_JS(void, page_set_title, (const char* title), { document.title = UTF8ToString(title); });
EM_JS(void, page_copy, (const char* text), { Module.page.copy(UTF8ToString(text)); });
// clang-format on

namespace headlight {
namespace {

using EventKind = InputEvent::Kind;

/// The bits of `modifiers` in the calls of page.js.
enum Modifiers { kCtrl = 1, kShift = 2, kAlt = 4 };

struct PageWindow {
    PageWindow(const WindowOptions& options, EventSink events)
        : sink(std::move(events)), size(options.size) {
        EmscriptenWebGLContextAttributes wanted;
        emscripten_webgl_init_context_attributes(&wanted);
        wanted.majorVersion = 2;
        wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = EM_FALSE;
        context = emscripten_webgl_create_context("#window", &wanted);
        if (context <= 0)
            throw Error("OpenGL",
                        "this browser draws no WebGL 2; switch hardware acceleration on, or take "
                        "another browser");
        emscripten_webgl_make_context_current(context);
    }
    PageWindow(const PageWindow&) = delete;
    PageWindow& operator=(const PageWindow&) = delete;
    ~PageWindow() { emscripten_webgl_destroy_context(context); }

    InputEvent event(EventKind kind) const {
        InputEvent made;
        made.kind = kind;
        made.ctrl = (modifiers & kCtrl) != 0;
        made.shift = (modifiers & kShift) != 0;
        made.alt = (modifiers & kAlt) != 0;
        return made;
    }

    EventSink sink;
    WindowSize size;
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
    int modifiers = 0;
    std::string clipboard;
    HeldKeys keys{[this](Key key, bool is_down) {
        InputEvent pressed = event(EventKind::Key);
        pressed.key = key;
        pressed.down = is_down;
        sink(pressed);
    }};
};

std::weak_ptr<PageWindow> open_window;

const char* cursor_name(CursorShape shape) {
    switch (shape) {
        case CursorShape::Text:
            return "text";
        case CursorShape::Hand:
            return "pointer";
        case CursorShape::ResizeHorizontal:
            return "ew-resize";
        case CursorShape::ResizeVertical:
            return "ns-resize";
        case CursorShape::Cross:
            return "move";
        case CursorShape::Arrow:
            break;
    }
    return "default";
}

struct NamedKey {
    std::string_view name;  // of the DOM
    Key key;
};

constexpr NamedKey kNamedKeys[] = {{"Tab", Key::Tab},
                                   {"ArrowLeft", Key::Left},
                                   {"ArrowRight", Key::Right},
                                   {"ArrowUp", Key::Up},
                                   {"ArrowDown", Key::Down},
                                   {"PageUp", Key::PageUp},
                                   {"PageDown", Key::PageDown},
                                   {"Home", Key::Home},
                                   {"End", Key::End},
                                   {"Insert", Key::Insert},
                                   {"Delete", Key::Delete},
                                   {"Backspace", Key::Backspace},
                                   {" ", Key::Space},
                                   {"Enter", Key::Enter},
                                   {"Escape", Key::Escape},
                                   {"F1", Key::F1},
                                   {"F5", Key::F5},
                                   {"F6", Key::F6}};

/// Returns what a US keyboard has on the key of that code, 0 if it is no letter, digit or =.
char on_us_keyboard(std::string_view code) {
    if (code.size() == 4 && code.starts_with("Key")) return static_cast<char>(code[3] - 'A' + 'a');
    if (code.size() == 6 && code.starts_with("Digit")) return code[5];
    return code == "Equal" ? '=' : '\0';
}

/// `name` is what the key types now, in which Shift has a part; letters and digits are looked up by
/// what they type without it.
Key key_of(std::string_view code, std::string_view name) {
    for (const NamedKey& named : kNamedKeys)
        if (named.name == name) return named.key;
    if (code == "NumpadAdd") return Key::Plus;
    if (code == "NumpadSubtract") return Key::Minus;
    if (code == "Numpad0") return Key::Zero;
    const char us = on_us_keyboard(code);
    if (name.size() != 1 || us == '\0') return Key::None;
    const char typed = name[0];
    const bool is_capital = typed >= 'A' && typed <= 'Z';
    const bool is_letter = is_capital || (typed >= 'a' && typed <= 'z');
    return key_of_place(is_letter ? static_cast<char>(is_capital ? typed - 'A' + 'a' : typed) : us,
                        us);
}

/// Keys of the keyboard have numbers, by their codes.
int number_of(std::string_view code) {
    unsigned sum = 5381;
    for (const char c : code) sum = sum * 33 + static_cast<unsigned char>(c);
    return static_cast<int>(sum & 0x7FFFFFFF);
}

}  // namespace

WindowBackend make_page_window(const WindowOptions& options, EventSink sink) {
    const auto window = std::make_shared<PageWindow>(options, std::move(sink));
    open_window = window;
    WindowBackend backend;
    backend.wait = [](double) {};
    backend.wake = [] { page_wake(); };
    backend.size = [window] { return window->size; };
    backend.place = [] { return WindowPlace{.corner = std::nullopt, .has_own_size = false}; };
    backend.present = [] {};
    backend.set_screen = [](ScreenMode mode) { page_fill_screen(mode == ScreenMode::Full); };
    backend.set_cursor = [last = CursorShape::Cross](CursorShape shape) mutable {
        if (std::exchange(last, shape) != shape) page_set_cursor(cursor_name(shape));
    };
    backend.set_title = [](const std::string& title) { page_set_title(title.c_str()); };
    backend.clipboard = [window] { return window->clipboard; };
    backend.set_clipboard = [window](const std::string& text) {
        window->clipboard = text;
        page_copy(text.c_str());
    };
    backend.second = {.open = [] { throw Error("window", "a page has no second window"); },
                      .close = [] {},
                      .has_place = [] { return false; },
                      .size = [] { return std::optional<WindowSize>(); },
                      .show = [](const Pixels&) {}};
    return backend;
}

}  // namespace headlight

// ---- calls of page.js ----

using namespace headlight;

extern "C" {

EMSCRIPTEN_KEEPALIVE void page_pointer_moved(float x, float y, int modifiers) {
    const auto window = open_window.lock();
    if (!window) return;
    window->modifiers = modifiers;
    InputEvent event = window->event(EventKind::MouseMove);
    event.x = x;
    event.y = y;
    window->sink(event);
}

EMSCRIPTEN_KEEPALIVE void page_button(int button, int is_down, int modifiers) {
    const auto window = open_window.lock();
    if (!window) return;
    window->modifiers = modifiers;
    InputEvent event = window->event(EventKind::MouseButton);
    event.button = button;
    event.down = is_down != 0;
    window->sink(event);
}

EMSCRIPTEN_KEEPALIVE void page_wheel(float x, float y, int modifiers) {
    const auto window = open_window.lock();
    if (!window) return;
    window->modifiers = modifiers;
    InputEvent event = window->event(EventKind::Wheel);
    event.x = x;
    event.y = y;
    window->sink(event);
}

EMSCRIPTEN_KEEPALIVE void page_key(const char* code, const char* name, int is_down, int modifiers) {
    const auto window = open_window.lock();
    if (!window) return;
    window->modifiers = modifiers;
    if (is_down != 0)
        window->keys.press(number_of(code), key_of(code, name));
    else
        window->keys.release(number_of(code));
}

EMSCRIPTEN_KEEPALIVE void page_character(int character) {
    const auto window = open_window.lock();
    if (!window) return;
    InputEvent event = window->event(EventKind::Character);
    event.character = static_cast<char32_t>(character);
    window->sink(event);
    window->keys.type(event.character);
}

EMSCRIPTEN_KEEPALIVE void page_focus(int is_focused) {
    const auto window = open_window.lock();
    if (!window) return;
    window->modifiers = 0;
    window->keys.forget();
    InputEvent event = window->event(EventKind::Focus);
    event.down = is_focused != 0;
    window->sink(event);
}

EMSCRIPTEN_KEEPALIVE void page_resized(float width, float height, float pixels_per_point) {
    const auto window = open_window.lock();
    if (!window) return;
    window->size = {width, height, pixels_per_point};
    InputEvent scaled = window->event(EventKind::Scale);
    scaled.scale = pixels_per_point;
    window->sink(scaled);
    InputEvent resized = window->event(EventKind::Resize);
    resized.x = width;
    resized.y = height;
    window->sink(resized);
}

EMSCRIPTEN_KEEPALIVE void page_drop(const char* path) {
    const auto window = open_window.lock();
    if (!window) return;
    InputEvent event = window->event(EventKind::Drop);
    event.path = path;
    window->sink(event);
}

EMSCRIPTEN_KEEPALIVE void page_set_clipboard(const char* text) {
    if (const auto window = open_window.lock()) window->clipboard = text;
}
}
