// Letters that ImGui's fonts cannot draw, as pictures among its glyphs: emoji, characters of more
// than 16 bits, letters that only a font of colours has.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/pictures/letter_picture.h"
#include "ui/compat.h"

namespace headlight {

class LetterGlyphs {
  public:
    enum class Answer { New, Known, NoFont };
    /// Whether a picture of the letter will be baked. More than some hundred are not, nor what is
    /// much wider than a letter.
    Answer need(const std::string& letter, compat::AstralCodes& codes);

    /// The character under which ImGui has it; 0 if it has not.
    char32_t letter_code(std::string_view letter) const;

    /// A font of the atlas, with its pixels per em.
    struct BakedFont {
        ImFont* font;
        float size_px;
    };
    /// Before the atlas is built, and after it.
    void reserve(ImFontAtlas& atlas, std::vector<BakedFont> fonts);
    void fill(ImFontAtlas& atlas);

  private:
    struct Letter {
        Answer answer = Answer::NoFont;
        char32_t code = 0;
    };
    Letter find(const std::string& letter, compat::AstralCodes& codes) const;
    const LetterPicture& picture(const std::string& letter, float size_px);

    std::map<std::string, Letter, std::less<>> letters_;
    std::size_t n_drawn_ = 0;  // of them, with a code
    std::vector<BakedFont> fonts_;
    std::map<std::pair<std::string, float>, LetterPicture> pictures_;  // of these sizes
    std::vector<int> rooms_;                                           // by font, then by letter
};

}  // namespace headlight
