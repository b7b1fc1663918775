#include "app/glfw_picture_window.h"

#include <GLFW/glfw3.h>
#include <memory>
#include <utility>

#include "core/error.h"
#include "render/framebuffer.h"

namespace headlight {
namespace {

constexpr int kSecondWidth = 960, kSecondHeight = 540;

struct GlfwPictureWindow {
    GLFWwindow* first = nullptr;
    std::function<void(GLFWwindow*)> connect;
    GLFWwindow* handle = nullptr;

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

    /// The main screen, which the slides leave to it.
    void take_screen() {
        int count = 0;
        GLFWmonitor** monitors = glfwGetMonitors(&count);
        if (count < 2) return;
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetMonitorWorkarea(monitors[0], &x, &y, &width, &height);
        glfwSetWindowPos(handle, x, y);
        glfwSetWindowSize(handle, width, height);
        const GLFWvidmode* video = glfwGetVideoMode(monitors[1]);
        if (!video || glfwGetWindowMonitor(first) != monitors[0]) return;
        // Window managers move what does not fill a screen yet.
        glfwGetMonitorWorkarea(monitors[1], &x, &y, &width, &height);
        glfwSetWindowMonitor(first, nullptr, x, y, width / 2, height / 2, GLFW_DONT_CARE);
        glfwPollEvents();
        glfwSetWindowMonitor(first, monitors[1], 0, 0, video->width, video->height,
                             video->refreshRate);
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

}  // namespace

PictureWindow make_glfw_picture_window(GLFWwindow* first,
                                       std::function<void(GLFWwindow*)> connect) {
    const auto window = std::make_shared<GlfwPictureWindow>();
    window->first = first;
    window->connect = std::move(connect);
    return {.open = [window] { window->open(); },
            .close = [window] { window->close(); },
            .size = [window] { return window->size(); },
            .show = [window](const Pixels& picture) { window->show(picture); }};
}

}  // namespace headlight
