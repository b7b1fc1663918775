#include "io/pictures/page/page_fonts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <emscripten/em_js.h>
#include <ft2build.h>
#include <map>
#include <utility>
#include FT_FREETYPE_H

#include "core/error.h"

// Draws a letter in white on a clear canvas, and keeps its pixels for take_letter. The answer is
// their width and height, 16 bits each; 0 if the browser shows a box or nothing for it, or is none.
EM_JS(int, draw_letter, (const char* utf8, float size_px, float* places), {
    if (typeof document == "undefined") return 0;
    const letter = UTF8ToString(utf8);
    const canvas = document.createElement("canvas");
    const draw = (what, fill) = > {
        const context = canvas.getContext("2d", {willReadFrequently : true});
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.font = size_px + "px sans-serif";
        context.fillStyle = fill;
        context.fillText(what, size_px, 2 * size_px);
        return context;
    };
    canvas.width = canvas.height = Math.ceil(4 * size_px);
    const context = draw(letter, "white");
    const advance = context.measureText(letter).width;
    const {width, height} = canvas;
    const data = context.getImageData(0, 0, width, height).data;
    let left = width, top = height, right = 0, bottom = 0;
    for (let y = 0; y < height; ++y)
        for (let x = 0; x < width; ++x)
            if (data[4 * (y * width + x) + 3] > 0) {
                left = Math.min(left, x), right = Math.max(right, x + 1);
                top = Math.min(top, y), bottom = Math.max(bottom, y + 1);
            }
    if (right <= left) return 0;
    const missing = draw("\u{10FFFD}", "white").getImageData(0, 0, width, height).data;
    if (missing.every((value, k) = > value == data[k])) return 0;
    const cropped = new Uint8Array(4 * (right - left) * (bottom - top));
    for (let y = top; y < bottom; ++y)
        cropped.set(data.subarray(4 * (y * width + left), 4 * (y * width + right)),
                    4 * (y - top) * (right - left));
    Module.letter = cropped;
    HEAPF32.set([ left - size_px, top - 2 * size_px, advance ], places >> 2);
    return (right - left) << 16 | (bottom - top);
});

EM_JS(void, take_letter, (std::uint8_t * rgba), {
    HEAPU8.set(Module.letter, rgba);
    Module.letter = null;
});

namespace headlight {
namespace {

constexpr const char* kFolder = "/fonts/";

/// A face of a file, open as long as the program runs.
class OpenFace {
  public:
    explicit OpenFace(const std::string& path) {
        if (FT_Init_FreeType(&library_) != 0) return;
        if (FT_New_Face(library_, path.c_str(), 0, &face_) != 0) face_ = nullptr;
    }
    FT_Face get() const { return face_; }

  private:
    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
};

FT_Face face_of(const std::string& path) {
    static std::map<std::string, OpenFace> faces;
    return faces.try_emplace(path, path).first->second.get();
}

FontFile named(const char* file, const char* family) {
    FontFile font{kFolder + std::string(file), family};
    const FT_Face face = face_of(font.path);
    if (face == nullptr) throw Error("fonts", "the page lacks its font {}", file);
    font.line_height = static_cast<float>(face->ascender - face->descender) /
                       static_cast<float>(face->units_per_EM);
    return font;
}

bool has_colors(const Pixels& pixels) {
    constexpr int kNearlyWhite = 200, kInk = 40;
    for (std::size_t k = 0; k < pixels.rgba.size(); k += 4) {
        const std::uint8_t* p = &pixels.rgba[k];
        if (p[3] > kInk && std::min({p[0], p[1], p[2]}) < kNearlyWhite) return true;
    }
    return false;
}

}  // namespace

FontFile figure_font_file(Font font) {
    return font == Font::Bold ? named("Inter-Bold.otf", "Inter") : find_font_file(font);
}

FontFile find_font_file(Font font) {
    switch (font) {
        case Font::Regular:
            return named("Inter-Regular.otf", "Inter");
        case Font::Bold:
            return named("Inter-SemiBold.otf", "Inter");
        case Font::Math:
            return named("DejaVuSerif-Italic.ttf", "DejaVu Serif");
        case Font::Mono:
            break;
    }
    return named("DejaVuSansMono.ttf", "DejaVu Sans Mono");
}

FontFile find_symbol_file() {
    return named("DejaVuSans.ttf", "DejaVu Sans");
}

FontFile find_file_with(char32_t character) {
    for (const FontFile& usual : {find_font_file(Font::Regular), find_symbol_file()})
        if (file_has(usual, character)) return usual;
    return {};
}

FontFile find_picture_file_with(char32_t character) {
    return find_file_with(character);
}

bool file_has(const FontFile& file, char32_t character) {
    const FT_Face face = face_of(file.path);
    return face != nullptr && FT_Get_Char_Index(face, character) != 0;
}

std::optional<LetterPicture> browser_letter(const std::string& letter, float size_px) {
    float places[3];
    const int size = draw_letter(letter.c_str(), size_px, places);
    if (size == 0) return std::nullopt;
    LetterPicture picture{{size >> 16, size & 0xFFFF, {}}, places[0], places[1], places[2]};
    picture.pixels.rgba.resize(std::size_t{4} * static_cast<std::size_t>(picture.pixels.width) *
                               static_cast<std::size_t>(picture.pixels.height));
    take_letter(picture.pixels.rgba.data());
    picture.has_colors = has_colors(picture.pixels);
    return picture;
}

}  // namespace headlight
