// The arguments of headlight window and headlight script.
#pragma once

#include <optional>

#include "cli/options/options.h"
#include "cli/window_command.h"

namespace headlight {

/// The picture's size is in pixels; absent: the usual one.
void add_window_options(Options& command, WindowPicture& window, std::optional<Point>& size);

/// The size is of the window, in points.
void add_script_options(Options& command, WindowScript& script, std::optional<Point>& size);

}  // namespace headlight
