// One letter as pixels: an emoji, or another letter that the window's fonts cannot show.
#pragma once

#include <optional>
#include <string>

#include "paint/pixels.h"

namespace headlight {

struct LetterPicture {
    Pixels pixels;            // cropped to its ink
    float left = 0, top = 0;  // offset of the pixels from the start of the baseline
    float advance = 0;        // to the next letter, in pixels
    bool has_colors = false;  // else it is white, to be drawn in any colour
};

/// Draws the letter as figures do, at that many pixels per em. Returns nothing if no font has it.
std::optional<LetterPicture> picture_of_letter(const std::string& letter, float size_px);

}  // namespace headlight
