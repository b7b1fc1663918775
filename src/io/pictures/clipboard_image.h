// A picture into the system's clipboard, through the programs that keep it there.
#pragma once

#include <string>

namespace headlight {

/// With wl-copy under Wayland, with xclip under X11. Throws Error if the program is missing or
/// fails, saying which one.
void copy_png(const std::string& bytes);

}  // namespace headlight
