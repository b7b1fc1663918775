// The fonts of the page: files beside the program, and the browser's own for all other letters.
#pragma once

#include <optional>
#include <string>

#include "io/pictures/font_files.h"

namespace headlight {

/// Returns the font of figures, which is heavier than the window's in Bold.
FontFile figure_font_file(Font font);

/// Draws the letter with a font of the browser, at that many pixels per em. Returns nothing if it
/// has none, and where there is no browser.
std::optional<LetterPicture> browser_letter(const std::string& letter, float size_px);

}  // namespace headlight
