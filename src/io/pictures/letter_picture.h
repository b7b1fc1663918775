// One letter as pixels: an emoji, or what else the window's own letters cannot show.
#pragma once

#include <optional>
#include <string>

#include "paint/pixels.h"

namespace headlight {

struct LetterPicture {
    Pixels pixels;            // as little as holds its ink
    float left = 0, top = 0;  // of the pixels, from the start of the baseline
    float advance = 0;        // to the next letter, in pixels
    bool has_colors = false;  // else it is white, to be drawn in any colour
};

/// As the figures draw it, of that many pixels an em. Nothing if no font has it.
std::optional<LetterPicture> picture_of_letter(const std::string& letter, float size_px);

}  // namespace headlight
