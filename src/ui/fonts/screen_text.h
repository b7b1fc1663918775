// The text that a drawn frame shows, read back from its letters.
#pragma once

#include <imgui.h>
#include <string>

namespace headlight {

/// Every text in the order in which it was drawn, one a line, as far as it is not clipped. A text
/// that is turned or written from right to left is read in the order of its letters on the screen.
std::string screen_text(const ImDrawData& frame, const ImFontAtlas& atlas);

}  // namespace headlight
