// The window on the screen.
#include <GLFW/glfw3.h>
#include <algorithm>
#include <atomic>
#include <cfloat>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "app/signal_watcher.h"
#include "app/window_backend.h"
#include "core/error.h"
#include "render/framebuffer.h"
#include "render/gl_context.h"
#include "render/gl_handles.h"
#include "ui/input/input_event.h"
#include "ui/input/input_queue.h"

struct GLFWwindow;

namespace headlight {
namespace {

struct KeyPair {
    int glfw;
    Key key;
};

constexpr KeyPair kPairs[] = {
    {GLFW_KEY_TAB, Key::Tab},
    {GLFW_KEY_LEFT, Key::Left},
    {GLFW_KEY_RIGHT, Key::Right},
    {GLFW_KEY_UP, Key::Up},
    {GLFW_KEY_DOWN, Key::Down},
    {GLFW_KEY_PAGE_UP, Key::PageUp},
    {GLFW_KEY_PAGE_DOWN, Key::PageDown},
    {GLFW_KEY_HOME, Key::Home},
    {GLFW_KEY_END, Key::End},
    {GLFW_KEY_INSERT, Key::Insert},
    {GLFW_KEY_DELETE, Key::Delete},
    {GLFW_KEY_BACKSPACE, Key::Backspace},
    {GLFW_KEY_SPACE, Key::Space},
    {GLFW_KEY_ENTER, Key::Enter},
    {GLFW_KEY_KP_ENTER, Key::Enter},
    {GLFW_KEY_ESCAPE, Key::Escape},
    {GLFW_KEY_F1, Key::F1},
    {GLFW_KEY_F5, Key::F5},
    {GLFW_KEY_F6, Key::F6},
    {GLFW_KEY_KP_ADD, Key::Plus},
    {GLFW_KEY_KP_SUBTRACT, Key::Minus},
    {GLFW_KEY_KP_0, Key::Zero},
};

/// Returns None for keys that are known only by the sign that they type.
Key key_from_glfw(int key, int scancode) {
    for (const KeyPair& pair : kPairs)
        if (pair.glfw == key) return pair.key;
    if (key == GLFW_KEY_UNKNOWN) return Key::None;
    const char* name = glfwGetKeyName(key, scancode);
    const bool is_ascii = name != nullptr && name[0] > 0 && name[1] == '\0';
    // GLFW's codes of printable keys are their capital letters on a US keyboard.
    const bool is_letter = key >= GLFW_KEY_A && key <= GLFW_KEY_Z;
    const char on_us_keyboard = is_letter    ? static_cast<char>(key - 'A' + 'a')
                                : key < 0x7F ? static_cast<char>(key)
                                             : '\0';
    return key_of_place(is_ascii ? name[0] : '\0', on_us_keyboard);
}

struct WorkArea {
    int x = 0, y = 0, width = 0, height = 0;

    bool meets(const WorkArea& other) const {
        return x < other.x + other.width && other.x < x + width && y < other.y + other.height &&
               other.y < y + height;
    }
};

/// Returns the area without what the desktop keeps for itself, such as a bar.
WorkArea read_work_area(GLFWmonitor* monitor) {
    WorkArea area;
    glfwGetMonitorWorkarea(monitor, &area.x, &area.y, &area.width, &area.height);
    return area;
}

/// Returns a screen that shows something else than the given one; null if all mirror it, or it is
/// the only one.
GLFWmonitor* find_screen_beside(GLFWmonitor* screen) {
    const WorkArea shown = read_work_area(screen);
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i)
        if (!read_work_area(monitors[i]).meets(shown)) return monitors[i];
    return nullptr;
}

constexpr int kSecondWidth = 960, kSecondHeight = 540;

struct GlfwPictureWindow {
    GLFWwindow* first = nullptr;
    std::function<void(GLFWwindow*)> connect;
    GLFWwindow* handle = nullptr;
    bool slides_filled_screen = false;  // when it was asked last whether there is a place

    void open() {
        // The keys stay with the first window, which is not put away when they do not.
        glfwSetWindowAttrib(first, GLFW_AUTO_ICONIFY, GLFW_FALSE);
        glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
        glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
        handle =
            glfwCreateWindow(kSecondWidth, kSecondHeight, "Headlight – speaker", nullptr, nullptr);
        glfwWindowHint(GLFW_FOCUSED, GLFW_TRUE);
        glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
        if (!handle) throw Error("window", "a second window cannot be opened");
        connect(handle);
        take_screen();
    }

    /// Takes the main screen, which the slides leave to it.
    void take_screen() {
        GLFWmonitor* const primary = glfwGetPrimaryMonitor();
        GLFWmonitor* const beside = primary ? find_screen_beside(primary) : nullptr;
        if (!beside) return;
        const WorkArea area = read_work_area(primary);
        int left = 0, top = 0, right = 0, bottom = 0;
        glfwGetWindowFrameSize(handle, &left, &top, &right, &bottom);
        glfwSetWindowPos(handle, area.x, area.y);
        glfwSetWindowSize(handle, area.width - left - right, area.height - top - bottom);
        GLFWmonitor* const of_slides = glfwGetWindowMonitor(first);
        if (of_slides && read_work_area(of_slides).meets(area)) move_slides(beside);
    }

    /// Moves the slides first: window managers move a window that does not fill a screen yet.
    void move_slides(GLFWmonitor* screen) {
        const GLFWvidmode* video = glfwGetVideoMode(screen);
        if (!video) return;
        const WorkArea area = read_work_area(screen);
        glfwSetWindowMonitor(first, nullptr, area.x, area.y, area.width / 2, area.height / 2,
                             GLFW_DONT_CARE);
        glfwPollEvents();
        glfwSetWindowMonitor(first, screen, 0, 0, video->width, video->height, video->refreshRate);
    }

    /// False for slides whose screen is taken away: they no longer fill one, and lie where this
    /// window is.
    bool has_place() {
        GLFWmonitor* const of_slides = glfwGetWindowMonitor(first);
        const bool have_lost_screen = handle && slides_filled_screen && !of_slides;
        slides_filled_screen = of_slides != nullptr;
        return !have_lost_screen && (!of_slides || find_screen_beside(of_slides));
    }

    void close() {
        if (handle) glfwDestroyWindow(std::exchange(handle, nullptr));
    }

    std::optional<WindowSize> size() {
        if (handle && glfwWindowShouldClose(handle)) close();
        if (!handle) return std::nullopt;
        int width = 0, height = 0;
        float scale = 1, ignored = 1;
        glfwGetFramebufferSize(handle, &width, &height);
        glfwGetWindowContentScale(handle, &scale, &ignored);
        if (!(scale > 0)) scale = 1;
        return WindowSize{static_cast<float>(width) / scale, static_cast<float>(height) / scale,
                          scale};
    }

    void show(const Pixels& picture) {
        if (!handle) return;
        glfwMakeContextCurrent(handle);
        glfwSwapInterval(0);  // the slides do not wait for it
        int width = 0, height = 0;
        glfwGetFramebufferSize(handle, &width, &height);
        show_pixels(picture, width, height);
        glfwSwapBuffers(handle);
        glfwMakeContextCurrent(first);
    }
};

/// Makes the second window. `connect` leads its events to the first window, which outlives it.
PictureWindow make_glfw_picture_window(GLFWwindow* first,
                                       std::function<void(GLFWwindow*)> connect) {
    const auto window = std::make_shared<GlfwPictureWindow>();
    window->first = first;
    window->connect = std::move(connect);
    return {.open = [window] { window->open(); },
            .close = [window] { window->close(); },
            .has_place = [window] { return window->has_place(); },
            .size = [window] { return window->size(); },
            .show = [window](const Pixels& picture) { window->show(picture); }};
}

using EventKind = InputEvent::Kind;

struct GlfwWindow {
    EventSink sink;
    std::atomic<bool> interrupted = false;
    // GLFW sleeps through signals. The watcher is made before everything else, because drivers
    // start threads.
    SignalWatcher signals{[this] {
        interrupted = true;
        glfwPostEmptyEvent();
    }};
    GLFWwindow* handle = nullptr;
    int modifiers = 0;
    HeldKeys keys{[this](Key key, bool is_down) {
        InputEvent pressed = event(EventKind::Key);
        pressed.key = key;
        pressed.down = is_down;
        sink(pressed);
    }};
    std::map<CursorShape, GLFWcursor*> cursors;
    CursorShape cursor = CursorShape::Arrow;
    struct Place {
        int x = 0, y = 0, width = 0, height = 0;
    } place;  // of the window while it fills the screen: where it was before

    explicit GlfwWindow(EventSink events) : sink(std::move(events)) {}
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;
    ~GlfwWindow() { glfwTerminate(); }

    float pixels_per_point() const {
        float x = 1, y = 1;
        glfwGetWindowContentScale(handle, &x, &y);
        return x > 0 ? x : 1;
    }

    WindowSize size() const {
        int width = 0, height = 0;
        glfwGetFramebufferSize(handle, &width, &height);
        const float scale = pixels_per_point();
        return {static_cast<float>(width) / scale, static_cast<float>(height) / scale, scale};
    }

    // GLFW counts in screen coordinates, which are pixels on some systems and points on others.
    float points_per_coordinate() const {
        int width = 0, height = 0, width_px = 0, height_px = 0;
        glfwGetWindowSize(handle, &width, &height);
        glfwGetFramebufferSize(handle, &width_px, &height_px);
        if (width <= 0) return 1;
        return static_cast<float>(width_px) / static_cast<float>(width) / pixels_per_point();
    }

    InputEvent event(EventKind kind) const {
        InputEvent event;
        event.kind = kind;
        event.ctrl = (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
        event.shift = (modifiers & GLFW_MOD_SHIFT) != 0;
        event.alt = (modifiers & GLFW_MOD_ALT) != 0;
        return event;
    }

    void wait(double timeout_secs) {
        timeout_secs > 0 ? glfwWaitEventsTimeout(timeout_secs) : glfwPollEvents();
        if (!interrupted.exchange(false)) return;
        InputEvent quit = event(EventKind::Quit);
        quit.down = true;
        sink(quit);
    }

    void send_size() {
        InputEvent scale = event(EventKind::Scale), resize = event(EventKind::Resize);
        const WindowSize now = size();
        if (now.width <= 0 || now.height <= 0) return;  // minimised
        scale.scale = now.pixels_per_point;
        resize.x = now.width;
        resize.y = now.height;
        sink(scale);
        sink(resize);
    }
};

GlfwWindow& window_at(GLFWwindow* handle) {
    return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(handle));
}

std::string last_glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text == nullptr ? "" : std::string(": ") + text;
}

void on_move(GLFWwindow* handle, double x, double y) {
    GlfwWindow& window = window_at(handle);
    InputEvent event = window.event(EventKind::MouseMove);
    event.x = static_cast<float>(x) * window.points_per_coordinate();
    event.y = static_cast<float>(y) * window.points_per_coordinate();
    window.sink(event);
}

void on_enter(GLFWwindow* handle, int inside) {
    if (inside) return;
    InputEvent event = window_at(handle).event(EventKind::MouseMove);
    event.x = event.y = -FLT_MAX;
    window_at(handle).sink(event);
}

void on_button(GLFWwindow* handle, int button, int action, int modifiers) {
    if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
    GlfwWindow& window = window_at(handle);
    window.modifiers = modifiers;
    InputEvent event = window.event(EventKind::MouseButton);
    event.button = button;
    event.down = action == GLFW_PRESS;
    window.sink(event);
}

void on_wheel(GLFWwindow* handle, double x, double y) {
    InputEvent event = window_at(handle).event(EventKind::Wheel);
    event.x = static_cast<float>(x);
    event.y = static_cast<float>(y);
    window_at(handle).sink(event);
}

int key_modifier(int key) {
    switch (key) {
        case GLFW_KEY_LEFT_CONTROL:
        case GLFW_KEY_RIGHT_CONTROL:
            return GLFW_MOD_CONTROL;
        case GLFW_KEY_LEFT_SHIFT:
        case GLFW_KEY_RIGHT_SHIFT:
            return GLFW_MOD_SHIFT;
        case GLFW_KEY_LEFT_ALT:
        case GLFW_KEY_RIGHT_ALT:
            return GLFW_MOD_ALT;
        case GLFW_KEY_LEFT_SUPER:
        case GLFW_KEY_RIGHT_SUPER:
            return GLFW_MOD_SUPER;
        default:
            return 0;
    }
}

void on_key(GLFWwindow* handle, int key, int scancode, int action, int modifiers) {
    GlfwWindow& window = window_at(handle);
    // X11 reports the modifiers from before the event: a modifier key itself is added here.
    const int own = key_modifier(key);
    window.modifiers = action == GLFW_RELEASE ? modifiers & ~own : modifiers | own;
    if (action == GLFW_REPEAT)
        return window.sink(window.event(EventKind::Refresh));  // ImGui repeats
    if (own != 0) {  // held modifiers are told with an event
        InputEvent event = window.event(EventKind::Key);
        event.down = action == GLFW_PRESS;
        return window.sink(event);
    }
    action == GLFW_PRESS ? window.keys.press(scancode, key_from_glfw(key, scancode))
                         : window.keys.release(scancode);
}

/// Called also with Ctrl held, when nothing is written: GLFW has no other callback that tells the
/// sign.
void on_sign(GLFWwindow* handle, unsigned int character, int) {
    window_at(handle).keys.type(character);
}

void on_character(GLFWwindow* handle, unsigned int character) {
    InputEvent event = window_at(handle).event(EventKind::Character);
    event.character = character;
    window_at(handle).sink(event);
}

void on_focus(GLFWwindow* handle, int focused) {
    GlfwWindow& window = window_at(handle);
    window.modifiers = 0;
    window.keys.forget();
    InputEvent event = window.event(EventKind::Focus);
    event.down = focused != 0;
    window.sink(event);
}

void on_drop(GLFWwindow* handle, int count, const char** paths) {
    for (int i = 0; i < count; ++i) {
        InputEvent event = window_at(handle).event(EventKind::Drop);
        event.path = paths[i];
        window_at(handle).sink(event);
    }
}

void on_close(GLFWwindow* handle) {
    glfwSetWindowShouldClose(handle, GLFW_FALSE);
    window_at(handle).sink(window_at(handle).event(EventKind::Quit));
}

void set_callbacks(GLFWwindow* handle) {
    glfwSetCursorPosCallback(handle, on_move);
    glfwSetCursorEnterCallback(handle, on_enter);
    glfwSetMouseButtonCallback(handle, on_button);
    glfwSetScrollCallback(handle, on_wheel);
    glfwSetKeyCallback(handle, on_key);
    glfwSetCharModsCallback(handle, on_sign);
    glfwSetCharCallback(handle, on_character);
    glfwSetWindowFocusCallback(handle, on_focus);
    glfwSetDropCallback(handle, on_drop);
    glfwSetWindowCloseCallback(handle, on_close);
    glfwSetFramebufferSizeCallback(
        handle, [](GLFWwindow* changed, int, int) { window_at(changed).send_size(); });
    glfwSetWindowContentScaleCallback(
        handle, [](GLFWwindow* changed, float, float) { window_at(changed).send_size(); });
    glfwSetWindowRefreshCallback(handle, [](GLFWwindow* uncovered) {
        window_at(uncovered).sink(window_at(uncovered).event(EventKind::Refresh));
    });
}

/// Sends the keys of the second window to the first one, which has the keyboard while either of
/// them has it. Also wakes the first when the second is closed.
void connect_second(GlfwWindow& window, GLFWwindow* second) {
    glfwSetWindowUserPointer(second, &window);
    glfwSetKeyCallback(second, on_key);
    glfwSetCharCallback(second, on_character);
    glfwSetWindowFocusCallback(second, on_focus);
    glfwSetCharModsCallback(second, on_sign);
    glfwSetWindowCloseCallback(second, [](GLFWwindow* closed) {
        window_at(closed).sink(window_at(closed).event(EventKind::Refresh));
    });
}

/// A desktop knows by this name that the window belongs to the entry headlight.desktop.
void set_application_name() {
    constexpr const char* kName = "headlight";
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, kName);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, kName);
#ifdef GLFW_WAYLAND_APP_ID
    glfwWindowHintString(GLFW_WAYLAND_APP_ID, kName);
#endif
}

GLFWwindow* create(const WindowOptions& options, int context_api) {
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, context_api);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    return glfwCreateWindow(static_cast<int>(options.size.width),
                            static_cast<int>(options.size.height), options.title.c_str(), nullptr,
                            nullptr);
}

/// Returns a monitor on which a corner there would leave something of the window to be seen and
/// dragged; null if there is none.
GLFWmonitor* find_monitor_at(const ScreenPlace& corner) {
    constexpr int kSeen = 64;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        const WorkArea area = read_work_area(monitors[i]);
        if (corner.x > area.x - kSeen && corner.x < area.x + area.width - kSeen &&
            corner.y > area.y - kSeen && corner.y < area.y + area.height - kSeen)
            return monitors[i];
    }
    return nullptr;
}

/// Shrinks a window that is larger than its screen, as it can be at twice the scale, so that all of
/// it can be reached.
void shrink_to(GLFWwindow* handle, GLFWmonitor* monitor) {
    if (!monitor) return;
    const WorkArea area = read_work_area(monitor);
    int width = 0, height = 0;
    glfwGetWindowSize(handle, &width, &height);
    if (area.width <= 0 || area.height <= 0) return;
    if (width > area.width || height > area.height)
        glfwSetWindowSize(handle, std::min(width, area.width), std::min(height, area.height));
}

/// Puts the window in its place. Monitors come and go between two starts.
void put(GLFWwindow* handle, const WindowPlace& place) {
    GLFWmonitor* const at_corner = place.corner ? find_monitor_at(*place.corner) : nullptr;
    if (at_corner) glfwSetWindowPos(handle, place.corner->x, place.corner->y);
    shrink_to(handle, at_corner ? at_corner : glfwGetPrimaryMonitor());
    if (place.is_maximised) glfwMaximizeWindow(handle);
}

WindowPlace window_place(GLFWwindow* handle) {
    WindowPlace place{.corner = ScreenPlace{}};
    glfwGetWindowPos(handle, &place.corner->x, &place.corner->y);
    place.is_maximised = glfwGetWindowAttrib(handle, GLFW_MAXIMIZED) != 0;
    place.has_own_size = !place.is_maximised && glfwGetWindowMonitor(handle) == nullptr &&
                         glfwGetWindowAttrib(handle, GLFW_ICONIFIED) == 0;
    return place;
}

void open(GlfwWindow& window, const WindowOptions& options) {
    if (!glfwInit()) {
        throw Error("window",
                    "there is no display to open a window on{}; without one, \"headlight window\" "
                    "draws into a picture",
                    last_glfw_error());
    }
    set_application_name();
    // An EGL context is made in half the time of a GLX one, but not every driver has it.
    window.handle = create(options, GLFW_EGL_CONTEXT_API);
    if (window.handle == nullptr) window.handle = create(options, GLFW_NATIVE_CONTEXT_API);
    if (window.handle == nullptr) {
        throw Error("window",
                    "OpenGL 3.3 is not available{}; install the packages libgl1, libegl1 and "
                    "libgl1-mesa-dri",
                    last_glfw_error());
    }
    put(window.handle, options.place);
    glfwMakeContextCurrent(window.handle);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(window.handle, &window);
    set_callbacks(window.handle);
}

void set_cursor(GlfwWindow& window, CursorShape shape) {
    if (shape == window.cursor) return;
    window.cursor = shape;
    const std::map<CursorShape, int> glfw_shapes = {
        {CursorShape::Arrow, GLFW_ARROW_CURSOR},
        {CursorShape::Text, GLFW_IBEAM_CURSOR},
        {CursorShape::Hand, GLFW_HAND_CURSOR},
        {CursorShape::ResizeHorizontal, GLFW_HRESIZE_CURSOR},
        {CursorShape::ResizeVertical, GLFW_VRESIZE_CURSOR},
        {CursorShape::Cross, GLFW_CROSSHAIR_CURSOR}};
    GLFWcursor*& cursor = window.cursors[shape];
    if (cursor == nullptr) cursor = glfwCreateStandardCursor(glfw_shapes.at(shape));
    glfwSetCursor(window.handle, cursor);
}

/// Returns the monitor that the middle of the window is on.
GLFWmonitor* monitor_under(const GlfwWindow::Place& place) {
    const int x = place.x + place.width / 2, y = place.y + place.height / 2;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode && x >= left && y >= top && x < left + mode->width && y < top + mode->height)
            return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

void set_screen(GlfwWindow& window, ScreenMode mode) {
    GlfwWindow::Place& place = window.place;
    if (mode == ScreenMode::Window)
        return glfwSetWindowMonitor(window.handle, nullptr, place.x, place.y, place.width,
                                    place.height, GLFW_DONT_CARE);
    glfwGetWindowPos(window.handle, &place.x, &place.y);
    glfwGetWindowSize(window.handle, &place.width, &place.height);
    GLFWmonitor* monitor = monitor_under(place);
    const GLFWvidmode* video = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!video) return;
    glfwSetWindowMonitor(window.handle, monitor, 0, 0, video->width, video->height,
                         video->refreshRate);
    glfwSwapInterval(1);
}

std::string clipboard(const GlfwWindow& window) {
    const char* text = glfwGetClipboardString(window.handle);
    return text == nullptr ? "" : text;
}

}  // namespace

WindowBackend make_glfw_window(const WindowOptions& options, EventSink sink) {
    check_gl_libraries();
    const auto window = std::make_shared<GlfwWindow>(std::move(sink));
    open(*window, options);
    WindowBackend backend;
    backend.wait = [window](double timeout_secs) { window->wait(timeout_secs); };
    backend.wake = [] { glfwPostEmptyEvent(); };
    backend.size = [window] { return window->size(); };
    backend.place = [window] { return window_place(window->handle); };
    backend.present = [window] { glfwSwapBuffers(window->handle); };
    backend.set_screen = [window](ScreenMode mode) { set_screen(*window, mode); };
    backend.set_cursor = [window](CursorShape shape) { set_cursor(*window, shape); };
    backend.set_title = [window](const std::string& title) {
        glfwSetWindowTitle(window->handle, title.c_str());
    };
    backend.clipboard = [window] { return clipboard(*window); };
    backend.set_clipboard = [window](const std::string& text) {
        glfwSetClipboardString(window->handle, text.c_str());
    };
    backend.second = make_glfw_picture_window(
        window->handle, [window](GLFWwindow* second) { connect_second(*window, second); });
    return backend;
}

}  // namespace headlight
