// The second window on the screen.
#pragma once

#include <functional>

#include "app/window_backend.h"

struct GLFWwindow;

namespace headlight {

/// `connect` leads what happens in it to the first window, which outlives it.
PictureWindow make_glfw_picture_window(GLFWwindow* first, std::function<void(GLFWwindow*)> connect);

}  // namespace headlight
