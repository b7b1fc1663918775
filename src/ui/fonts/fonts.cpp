#include "ui/fonts/fonts.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utf8proc.h>
#include <utility>

#include "core/error.h"
#include "text/shown_tokens.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "ui/compat.h"
#include "ui/fonts/drawn_text.h"

namespace headlight {
namespace {

constexpr std::size_t kMostLetters = 300;  // each takes a place in the texture for every size
constexpr float kTried_px = 16, kWidest_em = 4;

/// A character that ImGui can hold has its own code, though no font that ImGui reads has a glyph
/// for it.
char32_t code_for(const std::string& letter, compat::PrivateUseCodes& codes) {
    const CodePoint first = decode_code_point(letter, 0);
    const bool is_one = first.size_bytes == letter.size();
    const char32_t code = is_one ? codes.encode(first.value) : codes.find_or_add_code(letter);
    return code == kReplacementCharacter ? 0 : code;
}

}  // namespace

LetterGlyphs::Letter LetterGlyphs::find(const std::string& letter,
                                        compat::PrivateUseCodes& codes) const {
    const auto tried = picture_of_letter(letter, kTried_px);
    if (!tried) return {};
    const bool has_room = n_drawn_ < kMostLetters &&
                          static_cast<float>(tried->pixels.width) <= kWidest_em * kTried_px;
    return {Answer::Known, has_room ? code_for(letter, codes) : 0};
}

LetterGlyphs::Answer LetterGlyphs::need(const std::string& letter, compat::PrivateUseCodes& codes) {
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

namespace {

struct FontSize {
    Font font;
    float size;  // ems, in points
};

// The first one is ImGui's default.
constexpr FontSize kSizes[] = {{Font::Regular, 13}, {Font::Regular, 11}, {Font::Regular, 16},
                               {Font::Regular, 22}, {Font::Bold, 13},    {Font::Bold, 11},
                               {Font::Bold, 16},    {Font::Bold, 22},    {Font::Bold, 30},
                               {Font::Math, 12},    {Font::Math, 15},    {Font::Mono, 12}};

// Larger glyphs are scaled up: an atlas of them would take hundreds of megabytes.
constexpr float kLargestBaked_px = 80;

// Every driver has room for so many pixels in a texture, of 4 bytes each. Glyphs have gaps around
// them.
constexpr float kMostAtlas_px = 32e6f, kGaps = 1.4f;

constexpr std::size_t kSymbols = 1;  // among the fallbacks

// Within this ratio text is drawn at the baked size, pixel for pixel.
constexpr float kSameSize = 1.06f;

struct CodeRange {
    char32_t first, last;
};

// The program itself writes these; all other characters come when a text needs them.
constexpr CodeRange kAlways[] = {
    {0x20, 0x7E},     {0xA0, 0x17F},    {0x391, 0x3C9},   {0x1D40, 0x1D40}, {0x1D48, 0x1D62},
    {0x2010, 0x2027}, {0x2032, 0x2033}, {0x2070, 0x209C}, {0x2190, 0x2199}, {0x21B6, 0x21B7},
    {0x21C4, 0x21C4}, {0x2200, 0x2213}, {0x2217, 0x221E}, {0x2225, 0x222B}, {0x2248, 0x2248},
    {0x2260, 0x2265}, {0x2295, 0x2299}, {0x22A4, 0x22A5}, {0x22C5, 0x22C5}, {0x25A0, 0x25A1},
    {0x25AF, 0x25AF}, {0x25B2, 0x25C7}, {0x25CB, 0x25CF}, {0x270E, 0x270E}, {0x2713, 0x2717},
    {0xFFFD, 0xFFFD}};

// An alphabet is loaded as a whole: one rebuild, not one for each letter that is typed.
CodeRange block_around(char32_t character) {
    const bool is_presentation_form = character >= 0xFB00 && character <= 0xFEFF;
    if (character < 0x100) return {0xA0, 0xFF};  // the rest is ASCII, which is there, or controls
    if (character < 0x2000 || is_presentation_form) return {character & ~0xFFu, character | 0xFFu};
    if (character < 0x2E80) return {character & ~0x3Fu, character | 0x3Fu};
    return {character, character};
}

// True for characters that ImGui 1.86 has no room for, and for the codes that stand for them.
bool is_beyond_fonts(char32_t character) {
    return character > 0xFFFF || compat::PrivateUseCodes::is_code(character);
}

void add_range(CharacterSet& characters, const CodeRange& range) {
    for (char32_t c = range.first; c <= range.last; ++c) characters.set(c);
}

CharacterSet always_wanted() {
    CharacterSet characters;
    for (const CodeRange& range : kAlways) add_range(characters, range);
    return characters;
}

std::vector<char> read_font(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    if (bytes.empty()) throw Error("fonts", "cannot read {}", path);
    return bytes;
}

float ratio(float a, float b) {
    return std::max(a / b, b / a);
}

}  // namespace

Fonts::Fonts(FontScale scale) : scale_(scale), atlas_(std::make_unique<ImFontAtlas>()) {
    for (Font font : {Font::Regular, Font::Bold, Font::Math, Font::Mono}) {
        files_[font] = find_font_file(font);
    }
    fallbacks_ = {files_[Font::Regular], find_symbol_file()};  // the second is kSymbols
    wanted_ = always_wanted();
    build();
}

void Fonts::set_scale(FontScale scale) {
    if (scale == scale_) return;
    scale_ = scale;
    stale_ = true;
}

// Asks for the glyphs of both: text fields keep the letters as they are, figures join them.
void Fonts::need_glyphs(const std::string& utf8) {
    need_characters(utf8);
    need_pictures(utf8);
    const std::string ordered = visual_order(utf8);
    if (ordered != utf8) need_characters(ordered);
}

void Fonts::need_pictures(const std::string& utf8) {
    constexpr unsigned char kFirstByte = 0xEA;  // of the first code, and of nothing that is earlier
    if (std::ranges::all_of(utf8, [](unsigned char byte) { return byte < kFirstByte; })) return;
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t end = grapheme_end(utf8, at);
        const std::string letter = utf8.substr(at, end - at);
        // Letters such as a family of emoji, or a flag, are drawn as a whole.
        const bool is_picture = is_beyond_fonts(decode_code_point(letter, 0).value);
        if (is_picture && count_code_points(letter) <= kMostLetterCodePoints) need_letter(letter);
        at = end;
    }
}

void Fonts::need_characters(const std::string& utf8) {
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(utf8.data());
    auto left = static_cast<utf8proc_ssize_t>(utf8.size());
    while (left > 0) {
        utf8proc_int32_t character = 0;
        const utf8proc_ssize_t used =
            std::max<utf8proc_ssize_t>(utf8proc_iterate(bytes, left, &character), 1);
        if (character >= 0x80) need_glyph(static_cast<char32_t>(character));
        bytes += used;
        left -= used;
    }
}

void Fonts::need_glyph(char32_t character) {
    if (is_control(character)) return;  // it is drawn as a sign
    if (is_beyond_fonts(character)) return need_letter(encode_code_point(character));
    needed_.set(character);
    if (!all_lacking_.empty())
        if (const Script* script = find_script(character);
            std::ranges::count(all_lacking_, script) > 0)
            note_lacking(script);
    if (wanted_.test(character) || is_full_ || !want(character)) return;
    find_file_for(character);
    stale_ = true;
}

bool Fonts::want(char32_t character) {
    CharacterSet wanted = wanted_;
    add_range(wanted, block_around(character));
    if (wanted.count() > most_characters()) wanted = needed_blocks();
    is_full_ = wanted.count() > most_characters();
    if (!is_full_) wanted_ = wanted;
    return !is_full_;
}

std::size_t Fonts::most_characters() const {
    float each_px = 0;  // the area that one character takes in all sizes
    for (const FontSize& wanted : kSizes)
        each_px += kGaps * std::pow(std::min(wanted.size * scale_.text * scale_.pixels_per_point,
                                             kLargestBaked_px),
                                    2.f);
    return static_cast<std::size_t>(kMostAtlas_px / each_px);
}

CharacterSet Fonts::needed_blocks() const {
    const CharacterSet needed = needed_ | needed_before_;
    CharacterSet wanted = always_wanted();
    for (char32_t c = 0; c < needed.size(); ++c)
        if (needed.test(c) && !wanted.test(c)) add_range(wanted, block_around(c));
    return wanted;
}

void Fonts::find_file_for(char32_t character) {
    for (const FontFile& file : fallbacks_)
        if (file_has(file, character)) return;
    const FontFile found = find_file_with(character);
    if (!found.path.empty()) return fallbacks_.push_back(found);
    need_letter(encode_code_point(character));
}

void Fonts::need_letter(const std::string& letter) {
    const LetterGlyphs::Answer answer = letters_.need(letter, codes_);
    stale_ = stale_ || answer == LetterGlyphs::Answer::New;
    if (answer != LetterGlyphs::Answer::NoFont) return;
    if (const Script* script = find_script(decode_code_point(letter, 0).value))
        note_lacking(script);
}

void Fonts::note_lacking(const Script* script) {
    for (std::vector<const Script*>* scripts : {&all_lacking_, &lacking_})
        if (std::ranges::count(*scripts, script) == 0) scripts->push_back(script);
}

std::vector<LetterGlyphs::BakedFont> Fonts::baked_fonts() const {
    std::vector<LetterGlyphs::BakedFont> fonts;
    for (const Baked& baked : baked_)
        fonts.push_back({baked.imgui, baked.size * scale_.pixels_per_point});
    return fonts;
}

bool Fonts::rebuild() {
    needed_before_ = std::exchange(needed_, {});
    lacking_before_ = std::exchange(lacking_, {});
    is_full_ = false;
    if (!stale_) return false;
    stale_ = false;
    build();
    compat::upload_atlas();
    return true;
}

void Fonts::build() {
    atlas_->Clear();
    compat::use_freetype(*atlas_);
    atlas_->Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoPowerOfTwoHeight;
    ranges_ = ranges(Baking::Full);
    faint_ranges_ = ranges(Baking::Faint);
    baked_.clear();
    for (const FontSize& wanted : kSizes) add_font(wanted.font, wanted.size * scale_.text);
    letters_.reserve(*atlas_, baked_fonts());
    if (!compat::build_atlas(*atlas_)) {
        throw Error(
            "fonts",
            "FreeType cannot read {}; install the packages fonts-inter and fonts-dejavu again",
            families());
    }
    letters_.fill(*atlas_);
    for (const Baked& baked : baked_) compat::set_points(*baked.imgui, scale_.pixels_per_point);
}

void Fonts::add_font(Font font, float size) {
    const float baked_size = std::min(size, kLargestBaked_px / scale_.pixels_per_point);
    const FontFile& file = files_.at(font);
    ImFont* imgui = add_source(file, baked_size, ranges_);
    ImFontConfig merged;
    merged.MergeMode = true;
    for (const FontFile& fallback : fallbacks_) {
        if (!(fallback == file)) add_source(fallback, baked_size, ranges_, merged);
    }
    merged.RasterizerMultiply = kSignOpacity;
    add_source(fallbacks_[kSymbols], baked_size, faint_ranges_, merged);
    baked_.push_back({font, baked_size, baked_line(file, baked_size), imgui});
}

// Asks FreeType for whole pixels from the lowest to the highest line of the font.
float Fonts::baked_line(const FontFile& file, float size) const {
    const float pixels = std::round(size * file.line_height * scale_.pixels_per_point);
    return std::max(pixels, 1.f) / scale_.pixels_per_point;
}

ImFont* Fonts::add_source(const FontFile& file, float size, const std::vector<ImWchar>& ranges,
                          ImFontConfig config) {
    const std::vector<char>& data = bytes(file);
    config.FontDataOwnedByAtlas = false;
    config.FontNo = file.face;
    const float line = compat::atlas_font_size(baked_line(file, size), scale_.pixels_per_point);
    return atlas_->AddFontFromMemoryTTF(const_cast<char*>(data.data()),
                                        static_cast<int>(data.size()), line, &config,
                                        ranges.data());
}

const std::vector<char>& Fonts::bytes(const FontFile& file) {
    std::vector<char>& data = bytes_[file.path];
    if (data.empty()) data = read_font(file.path);
    return data;
}

std::vector<ImWchar> Fonts::ranges(Baking baking) const {
    const auto is_in = [&](std::size_t c) {
        return c < wanted_.size() && wanted_.test(c) &&
               is_sign_of_unseen(static_cast<char32_t>(c)) == (baking == Baking::Faint);
    };
    std::vector<ImWchar> ranges;
    for (std::size_t c = 0; c < wanted_.size(); ++c) {
        if (!is_in(c)) continue;
        if (c == 0 || !is_in(c - 1)) ranges.push_back(static_cast<ImWchar>(c));
        if (!is_in(c + 1)) ranges.push_back(static_cast<ImWchar>(c));
    }
    ranges.push_back(0);
    return ranges;
}

SizedFont Fonts::at(Font font, float size) const {
    // A size that was scaled and scaled back is the same one: text has the width it was given.
    constexpr float kSteps = 64;  // to a point
    size = std::round(kSteps * size) / kSteps;
    const Baked* nearest = nullptr;
    for (const Baked& baked : baked_) {
        if (baked.font != font) continue;
        if (!nearest || ratio(baked.size, size) < ratio(nearest->size, size)) nearest = &baked;
    }
    const bool same = ratio(nearest->size, size) <= kSameSize;
    return {nearest->imgui, same ? nearest->line : nearest->line * size / nearest->size};
}

void Fonts::push(Font font, float size) const {
    const SizedFont sized = at(font, size);
    compat::push_font(sized.font, sized.size);
}

std::string Fonts::drawn_text(const std::string& text, Font font) const {
    return headlight::drawn_text(
        text, [&](char32_t character) { return has(font, character); },
        [&](std::string_view letter) { return letters_.letter_code(letter); });
}

float Fonts::text_width(const std::string& text, float size, Font font) const {
    const SizedFont sized = at(font, size);
    const std::string drawn = drawn_text(text, font);
    const char* begin = drawn.data();
    return sized.font->CalcTextSizeA(sized.size, FLT_MAX, 0, begin, begin + drawn.size()).x;
}

MeasureText Fonts::measure() const {
    return [this](const std::string& text, float size, Font font) {
        return text_width(text, size, font);
    };
}

bool Fonts::has(Font font, char32_t character) const {
    if (is_beyond_fonts(character)) return false;
    return compat::has_glyph(*at(font, 13 * scale_.text).font, static_cast<ImWchar>(character));
}

std::string Fonts::families() const {
    std::vector<std::string> names;
    const auto add = [&names](const FontFile& file) {
        if (!is_among(file.family, names)) {
            names.push_back(file.family);
        }
    };
    for (const auto& [font, file] : files_) add(file);
    for (const FontFile& file : fallbacks_) add(file);
    return joined(names);
}

}  // namespace headlight
