#include "ui/letter_glyphs.h"

#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kMostLetters = 300;  // each takes a place in the texture for every size
constexpr float kTried_px = 16;

/// What ImGui can hold has its own code, though no font that ImGui reads has a glyph for it.
char32_t code_for(const std::string& letter, compat::AstralCodes& codes) {
    const CodePoint first = decode_code_point(letter, 0);
    const bool is_one = first.size_bytes == letter.size();
    const char32_t code = is_one ? codes.encode(first.value) : codes.code_of(letter);
    return code == kReplacementCharacter ? 0 : code;
}

}  // namespace

LetterGlyphs::Answer LetterGlyphs::need(const std::string& letter, compat::AstralCodes& codes) {
    const auto known = codes_.find(letter);
    if (known != codes_.end()) return known->second == 0 ? Answer::NoFont : Answer::Known;
    if (n_drawn_ >= kMostLetters) return Answer::Known;
    const bool has_font = picture_of_letter(letter, kTried_px).has_value();
    const char32_t code = has_font ? code_for(letter, codes) : 0;
    codes_[letter] = code;
    if (code == 0) return Answer::NoFont;
    ++n_drawn_;
    return Answer::New;
}

char32_t LetterGlyphs::code_of(std::string_view letter) const {
    const auto found = codes_.find(letter);
    return found == codes_.end() ? 0 : found->second;
}

const LetterPicture& LetterGlyphs::picture(const std::string& letter, float size_px) {
    const auto [at, is_new] = pictures_.try_emplace({letter, size_px});
    if (is_new) at->second = picture_of_letter(letter, size_px).value_or(LetterPicture{});
    return at->second;
}

void LetterGlyphs::reserve(ImFontAtlas& atlas, const std::vector<BakedFont>& fonts) {
    rooms_.clear();
    for (const BakedFont& baked : fonts)
        for (const auto& [letter, code] : codes_)
            if (code != 0)
                rooms_.push_back(
                    compat::reserve_picture(atlas, picture(letter, baked.size_px).pixels));
}

void LetterGlyphs::fill(ImFontAtlas& atlas, const std::vector<BakedFont>& fonts) {
    auto room = rooms_.begin();
    for (const BakedFont& baked : fonts) {
        for (const auto& [letter, code] : codes_)
            if (code != 0)
                compat::fill_picture(atlas, *baked.font, *room++, code,
                                     picture(letter, baked.size_px));
        if (n_drawn_ > 0) compat::finish_pictures(*baked.font);
    }
}

}  // namespace headlight
