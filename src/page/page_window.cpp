// The window in a page: a canvas of the browser.
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "app/window_backend.h"
#include "core/error.h"
#include "io/host.h"
#include "io/host/page.h"
#include "ui/input/input_queue.h"

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
        // Without it the picture is gone once it is shown, and a browser that is late shows black.
        wanted.preserveDrawingBuffer = EM_TRUE;
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

    /// Takes an event of page.js. Its numbers and its text are what the kind says.
    void take(std::string_view kind, float x, float y, float z, std::string_view text);

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

void PageWindow::take(std::string_view kind, float x, float y, float z, std::string_view text) {
    if (kind == "press" || kind == "release") {  // text: the code of the key, and what it types
        const std::string_view code = text.substr(0, text.find(' '));
        if (kind == "release") return keys.release(number_of(code));
        return keys.press(number_of(code), key_of(code, text.substr(code.size() + 1)));
    }
    if (kind == "clipboard") return void(clipboard = text);
    if (kind == "size") {
        size = {x, y, z};
        InputEvent scaled = event(EventKind::Scale), resized = event(EventKind::Resize);
        scaled.scale = z;
        resized.x = x;
        resized.y = y;
        sink(scaled);
        return sink(resized);
    }
    if (kind == "focus") {
        modifiers = 0;
        keys.forget();
    }
    static const std::map<std::string_view, EventKind> kinds = {
        {"move", EventKind::MouseMove}, {"button", EventKind::MouseButton},
        {"wheel", EventKind::Wheel},    {"character", EventKind::Character},
        {"focus", EventKind::Focus},    {"drop", EventKind::Drop}};
    InputEvent made = event(kinds.at(kind));
    made.x = x;  // moves and wheels read these, …
    made.y = y;
    made.button = static_cast<int>(x);  // … buttons their number, and if they are down, …
    made.down = y != 0;
    made.character = static_cast<char32_t>(x);
    made.path = text;
    sink(made);
    if (kind == "character") keys.type(made.character);
}

}  // namespace

WindowBackend make_page_window(const WindowOptions& options, EventSink sink) {
    const auto window = std::make_shared<PageWindow>(options, std::move(sink));
    open_window = window;
    WindowBackend backend;
    backend.wait = [](double) {};
    backend.wake = [] { tell_page("wake", ""); };
    backend.size = [window] { return window->size; };
    backend.place = [] { return WindowPlace{.corner = std::nullopt, .has_own_size = false}; };
    backend.present = [] {};
    backend.set_screen = [](ScreenMode mode) {
        tell_page("fillScreen", mode == ScreenMode::Full ? "yes" : "");
    };
    backend.set_cursor = [last = CursorShape::Cross](CursorShape shape) mutable {
        if (std::exchange(last, shape) != shape) tell_page("setCursor", cursor_name(shape));
    };
    backend.set_title = [](const std::string& title) { tell_page("setTitle", title.c_str()); };
    backend.clipboard = [window] { return window->clipboard; };
    backend.set_clipboard = [window](const std::string& text) {
        window->clipboard = text;
        tell_page("copy", text.c_str());
    };
    backend.second = {.open = [] { throw Error("window", host().lacks.second_window); },
                      .close = [] {},
                      .has_place = [] { return false; },
                      .size = [] { return std::optional<WindowSize>(); },
                      .show = [](const Pixels&) {}};
    return backend;
}

}  // namespace headlight

/// Called by page.js with each event: moves and wheels have x and y, buttons and the focus are down
/// where y is not 0, the size has z pixels per point.
extern "C" EMSCRIPTEN_KEEPALIVE void page_event(const char* kind, float x, float y, float z,
                                                int modifiers, const char* text) {
    const auto window = headlight::open_window.lock();
    if (!window) return;
    window->modifiers = modifiers;
    window->take(kind, x, y, z, text);
}
