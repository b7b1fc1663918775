// A picture into the system's clipboard, through the programs that keep it there.
#pragma once

#include <string>

namespace headlight {

/// Copies a PNG to the clipboard, with wl-copy under Wayland and xclip under X11. Throws Error,
/// naming the program, if it is missing or fails.
void copy_png(const std::string& bytes);

}  // namespace headlight
