#include "io/pictures/font_files.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <initializer_list>
#include <memory>
#include <utility>

#include "core/error.h"

namespace headlight {
namespace {

using PatternPtr = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;
using CharSetPtr = std::unique_ptr<FcCharSet, decltype(&FcCharSetDestroy)>;

struct Wanted {
    const char* family;
    int weight = FC_WEIGHT_REGULAR;
    int slant = FC_SLANT_ROMAN;
};

// A face of the file, open while it lives.
class OpenFace {
  public:
    explicit OpenFace(const FontFile& file) {
        if (FT_Init_FreeType(&library_) != 0) return;
        if (FT_New_Face(library_, file.path.c_str(), file.face, &face_) != 0) face_ = nullptr;
    }
    OpenFace(const OpenFace&) = delete;
    OpenFace& operator=(const OpenFace&) = delete;
    ~OpenFace() {
        if (face_ != nullptr) FT_Done_Face(face_);
        if (library_ != nullptr) FT_Done_FreeType(library_);
    }
    FT_Face get() const { return face_; }  // null if it cannot be read

  private:
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
};

std::string read_font_text(const FcPattern* pattern, const char* object) {
    FcChar8* text = nullptr;
    const bool found = FcPatternGetString(pattern, object, 0, &text) == FcResultMatch;
    return found ? reinterpret_cast<const char*>(text) : "";
}

FontFile named_file(const FcPattern* pattern) {
    FontFile file{read_font_text(pattern, FC_FILE), read_font_text(pattern, FC_FAMILY)};
    FcPatternGetInteger(pattern, FC_INDEX, 0, &file.face);
    return file;
}

/// Returns nothing if the face has no outlines.
FontFile read_font_file(const FcPattern* pattern) {
    FontFile file = named_file(pattern);
    const OpenFace face(file);
    if (face.get() == nullptr || face.get()->units_per_EM == 0) return {};
    file.line_height = static_cast<float>(face.get()->ascender - face.get()->descender) /
                       static_cast<float>(face.get()->units_per_EM);
    return file;
}

// Returns the best match, of whatever family.
PatternPtr match(PatternPtr pattern, FcBool has_colors = FcFalse) {
    FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
    FcPatternAddBool(pattern.get(), FC_COLOR, has_colors);
    FcPatternAddBool(pattern.get(), FC_VARIABLE, FcFalse);
    FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
    FcDefaultSubstitute(pattern.get());
    FcResult result = FcResultNoMatch;
    return {FcFontMatch(nullptr, pattern.get(), &result), FcPatternDestroy};
}

PatternPtr find(const Wanted& wanted) {
    PatternPtr pattern(FcPatternCreate(), FcPatternDestroy);
    const auto* family = reinterpret_cast<const FcChar8*>(wanted.family);
    FcPatternAddString(pattern.get(), FC_FAMILY, family);
    FcPatternAddInteger(pattern.get(), FC_WEIGHT, wanted.weight);
    FcPatternAddInteger(pattern.get(), FC_SLANT, wanted.slant);
    return match(std::move(pattern));
}

// Returns the first family that is installed; the last is generic and takes what there is.
FontFile first_installed(std::initializer_list<Wanted> choices) {
    const Wanted& generic = *(choices.end() - 1);
    for (const Wanted& wanted : choices) {
        const PatternPtr found = find(wanted);
        if (!found) continue;
        FontFile file = read_font_file(found.get());
        if (file.path.empty()) continue;
        if (file.family == wanted.family || wanted.family == generic.family) return file;
    }
    throw Error("fonts", "no font was found; install the packages fonts-inter and fonts-dejavu");
}

FontFile file_matching(char32_t character, FcBool has_colors) {
    const CharSetPtr characters(FcCharSetCreate(), FcCharSetDestroy);
    FcCharSetAddChar(characters.get(), character);
    PatternPtr pattern(FcPatternCreate(), FcPatternDestroy);
    FcPatternAddCharSet(pattern.get(), FC_CHARSET, characters.get());
    FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
    const PatternPtr found = match(std::move(pattern), has_colors);
    if (!found) return {};
    const FontFile file = has_colors ? named_file(found.get()) : read_font_file(found.get());
    return !file.path.empty() && file_has(file, character) ? file : FontFile{};
}

}  // namespace

FontFile find_font_file(Font font) {
    switch (font) {
        case Font::Regular:
            return first_installed({{"Inter"}, {"Noto Sans"}, {"DejaVu Sans"}, {"sans-serif"}});
        case Font::Bold:
            return first_installed({{"Inter", FC_WEIGHT_DEMIBOLD},
                                    {"Noto Sans", FC_WEIGHT_DEMIBOLD},
                                    {"DejaVu Sans", FC_WEIGHT_BOLD},
                                    {"sans-serif", FC_WEIGHT_BOLD}});
        case Font::Math:
            return first_installed({{"DejaVu Serif", FC_WEIGHT_REGULAR, FC_SLANT_ITALIC},
                                    {"Noto Serif", FC_WEIGHT_REGULAR, FC_SLANT_ITALIC},
                                    {"serif", FC_WEIGHT_REGULAR, FC_SLANT_ITALIC}});
        case Font::Mono:
            break;
    }
    return first_installed({{"DejaVu Sans Mono"}, {"Noto Sans Mono"}, {"monospace"}});
}

FontFile find_symbol_file() {
    return first_installed({{"DejaVu Sans"}, {"sans-serif"}});
}

FontFile find_file_with(char32_t character) {
    for (const FontFile& usual : {find_font_file(Font::Regular), find_symbol_file()})
        if (file_has(usual, character)) return usual;
    return file_matching(character, FcFalse);
}

FontFile find_picture_file_with(char32_t character) {
    const FontFile file = find_file_with(character);
    return file.path.empty() ? file_matching(character, FcTrue) : file;
}

bool file_has(const FontFile& file, char32_t character) {
    const OpenFace face(file);
    return face.get() != nullptr && FT_Get_Char_Index(face.get(), character) != 0;
}

}  // namespace headlight
