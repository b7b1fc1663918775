#include "ui/fonts/letter_glyphs.h"

#include <algorithm>
#include <utility>

#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kMostLetters = 300;  // each takes a place in the texture for every size
constexpr float kTried_px = 16, kWidest_em = 4;

/// What ImGui can hold has its own code, though no font that ImGui reads has a glyph for it.
char32_t code_for(const std::string& letter, compat::AstralCodes& codes) {
    const CodePoint first = decode_code_point(letter, 0);
    const bool is_one = first.size_bytes == letter.size();
    const char32_t code = is_one ? codes.encode(first.value) : codes.find_or_add_code(letter);
    return code == kReplacementCharacter ? 0 : code;
}

}  // namespace

LetterGlyphs::Letter LetterGlyphs::find(const std::string& letter,
                                        compat::AstralCodes& codes) const {
    const auto tried = picture_of_letter(letter, kTried_px);
    if (!tried) return {};
    const bool has_room = n_drawn_ < kMostLetters &&
                          static_cast<float>(tried->pixels.width) <= kWidest_em * kTried_px;
    return {Answer::Known, has_room ? code_for(letter, codes) : 0};
}

LetterGlyphs::Answer LetterGlyphs::need(const std::string& letter, compat::AstralCodes& codes) {
    const auto [at, is_new] = letters_.try_emplace(letter);
    if (!is_new) return at->second.answer;
    at->second = find(letter, codes);
    if (at->second.code == 0) return at->second.answer;
    ++n_drawn_;
    return Answer::New;
}

char32_t LetterGlyphs::letter_code(std::string_view letter) const {
    const auto found = letters_.find(letter);
    return found == letters_.end() ? 0 : found->second.code;
}

const LetterPicture& LetterGlyphs::picture(const std::string& letter, float size_px) {
    const auto [at, is_new] = pictures_.try_emplace({letter, size_px});
    if (is_new) at->second = picture_of_letter(letter, size_px).value_or(LetterPicture{});
    return at->second;
}

void LetterGlyphs::reserve(ImFontAtlas& atlas, std::vector<BakedFont> fonts) {
    if (!std::ranges::equal(fonts, fonts_, {}, &BakedFont::size_px, &BakedFont::size_px))
        pictures_.clear();
    fonts_ = std::move(fonts);
    rooms_.clear();
    for (const BakedFont& baked : fonts_)
        for (const auto& [letter, found] : letters_)
            if (found.code != 0)
                rooms_.push_back(
                    compat::reserve_picture(atlas, picture(letter, baked.size_px).pixels));
}

void LetterGlyphs::fill(ImFontAtlas& atlas) {
    auto room = rooms_.begin();
    for (const BakedFont& baked : fonts_) {
        for (const auto& [letter, found] : letters_)
            if (found.code != 0)
                compat::fill_picture(atlas, *baked.font, *room++, found.code,
                                     picture(letter, baked.size_px));
        if (n_drawn_ > 0) compat::finish_pictures(*baked.font);
    }
}

}  // namespace headlight
