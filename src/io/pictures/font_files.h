// Font files, found through fontconfig; and one letter as pixels: an emoji, or another letter that
// the window's fonts cannot show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"

namespace headlight {

struct FontFile {
    std::string path, family;
    int face = 0;              // number of the face within the file
    float line_height = 1.2f;  // from the lowest to the highest line of the face, in ems

    bool operator==(const FontFile& other) const {
        return path == other.path && face == other.face;
    }
};

/// Returns the file of a font of the figures, the best of those installed: Inter for text, DejaVu
/// Serif for mathematics, DejaVu Sans Mono for names. Throws Error naming packages if there is
/// none.
FontFile find_font_file(Font font);

/// Returns a font for letters and signs that the first font lacks.
FontFile find_symbol_file();

/// Returns the font of text if it has `character`, else the one of symbols, else any that has it;
/// empty path if none is installed.
FontFile find_file_with(char32_t character);

/// Returns such a font for a letter that is drawn as a picture; it may be a font of colours.
FontFile find_picture_file_with(char32_t character);

/// True if the face has `character`. Asks the file, so keep the answer.
bool file_has(const FontFile& file, char32_t character);

struct LetterPicture {
    Pixels pixels;            // cropped to its ink
    float left = 0, top = 0;  // offset of the pixels from the start of the baseline
    float advance = 0;        // to the next letter, in pixels

    /// True if the letter has colours of its own. It was drawn in white, and without them stays
    /// white, up to what is lost in rounding, to be drawn in any colour.
    bool has_colors() const;
};

/// True if a letter has colours of its own: it was drawn in white, and without them stays white, up
/// to what is lost in rounding.
bool has_colors(const Pixels& letter);

/// Draws the letter as figures do, at that many pixels per em. Returns nothing if no font has it.
std::optional<LetterPicture> picture_of_letter(const std::string& letter, float size_px);

}  // namespace headlight
