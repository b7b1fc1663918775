// The fonts of the page, which are files beside the program, and the browser's own for all other
// letters; and lines of text, set in them by HarfBuzz and FriBidi.
#include <algorithm>
#include <cairo-ft.h>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <emscripten/em_js.h>
#include <fribidi.h>
#include <ft2build.h>
#include <hb-ot.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include FT_FREETYPE_H

#include "core/error.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/font_files.h"
#include "text/shown_tokens.h"
#include "text/utf8.h"

// Draws a letter in white on a clear canvas, and keeps its pixels for take_letter. The answer is
// their width and height, 16 bits each; 0 if the browser shows a box or nothing for it, or is none.
// clang-format off
EM_JS(int, draw_letter, (const char* utf8, float size_px, float* places), {
    if (typeof document == "undefined") return 0;
    const letter = UTF8ToString(utf8);
    const canvas = document.createElement("canvas");
    const draw = (what, fill) => {
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
    const width = canvas.width;
    const height = canvas.height;
    const data = context.getImageData(0, 0, width, height).data;
    const edges = [width, height, 0, 0];
    for (let y = 0; y < height; ++y)
        for (let x = 0; x < width; ++x)
            if (data[4 * (y * width + x) + 3] > 0) {
                edges[0] = Math.min(edges[0], x);
                edges[1] = Math.min(edges[1], y);
                edges[2] = Math.max(edges[2], x + 1);
                edges[3] = Math.max(edges[3], y + 1);
            }
    const columns = edges[2] - edges[0];
    const rows = edges[3] - edges[1];
    if (columns <= 0) return 0;
    const missing = draw("\u{10FFFD}", "white").getImageData(0, 0, width, height).data;
    if (missing.every((value, k) => value == data[k])) return 0;
    const cropped = new Uint8Array(4 * columns * rows);
    for (let y = 0; y < rows; ++y) {
        const begin = 4 * ((edges[1] + y) * width + edges[0]);
        cropped.set(data.subarray(begin, begin + 4 * columns), 4 * y * columns);
    }
    Module.letter = cropped;
    HEAPF32.set([edges[0] - size_px, edges[1] - 2 * size_px, advance], places >> 2);
    return columns << 16 | rows;
});

EM_JS(void, take_letter, (std::uint8_t* rgba), {
    HEAPU8.set(Module.letter, rgba);
    Module.letter = null;
});
// clang-format on

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

}  // namespace

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

namespace {

/// Returns the font of figures, which is heavier than the window's in Bold.
FontFile figure_font_file(Font font) {
    return font == Font::Bold ? named("Inter-Bold.otf", "Inter") : find_font_file(font);
}

/// Draws the letter with a font of the browser, at that many pixels per em. Returns nothing if it
/// has none, and where there is no browser.
std::optional<LetterPicture> browser_letter(const std::string& letter, float size_px) {
    float places[3];
    const int size = draw_letter(letter.c_str(), size_px, places);
    if (size == 0) return std::nullopt;
    LetterPicture picture{{size >> 16, size & 0xFFFF, {}}, places[0], places[1], places[2]};
    picture.pixels.rgba.resize(std::size_t{4} * static_cast<std::size_t>(picture.pixels.width) *
                               static_cast<std::size_t>(picture.pixels.height));
    take_letter(picture.pixels.rgba.data());
    return picture;
}

constexpr double kUnits = 1024;  // HarfBuzz's, of one of Cairo's: those of Pango

/// A font file as each library holds it, as long as the program runs.
struct SharedFace {
    explicit SharedFace(const FontFile& font) : file(font) {
        static FT_Library library = nullptr;
        if (library == nullptr) FT_Init_FreeType(&library);
        FT_Face face = nullptr;
        if (FT_New_Face(library, font.path.c_str(), 0, &face) != 0)
            throw Error("fonts", "{} cannot be read", font.path);
        cairo = cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING);
        bytes = read_file(font.path);
        hb_blob_t* const blob = hb_blob_create(bytes.data(), static_cast<unsigned>(bytes.size()),
                                               HB_MEMORY_MODE_READONLY, nullptr, nullptr);
        hb_face_t* const shaped = hb_face_create(blob, 0);
        hb = hb_font_create(shaped);
        hb_face_destroy(shaped);
        hb_blob_destroy(blob);
    }
    SharedFace(const SharedFace&) = delete;
    SharedFace& operator=(const SharedFace&) = delete;

    FontFile file;
    std::string bytes;
    cairo_font_face_t* cairo = nullptr;
    hb_font_t* hb = nullptr;
};

SharedFace& shared_face(const FontFile& file) {
    static std::map<std::string, SharedFace> faces;
    return faces.try_emplace(file.path, file).first->second;
}

/// Letters of one direction that one font draws, or one that the browser draws.
struct Run {
    SharedFace* face = nullptr;  // null: a picture
    bool runs_left = false, is_faint = false;
    std::size_t begin = 0, end = 0;  // bytes of the text
    std::vector<cairo_glyph_t> glyphs = {};
    LetterPicture picture = {};
    double x = 0;
};

/// True of characters that are drawn with the ones before them, whatever the font.
bool stays_with_letter(char32_t c) {
    return c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x300 && c <= 0x36F);
}

class LineSetter {
  public:
    LineSetter(const std::string& text, float size, Font font)
        : text_(text), size_(size), first_(shared_face(figure_font_file(font))) {}

    std::vector<Run> set() {
        std::vector<Run> runs = split();
        for (Run& run : runs) {
            run.x = width_;
            run.face ? shape(run) : draw_picture(run);
        }
        return runs;
    }

    double width() const { return width_; }
    bool lacks_glyphs() const { return lacks_glyphs_; }

    double ascent() const {
        hb_font_extents_t extents{};
        set_size(*first_.hb);
        hb_font_get_h_extents(first_.hb, &extents);
        return extents.ascender / kUnits;
    }

  private:
    void set_size(hb_font_t& font) const {
        const int scale = static_cast<int>(std::lround(size_ * kUnits));
        hb_font_set_scale(&font, scale, scale);
    }

    SharedFace* face_with(char32_t c) const {
        if (c < 0x20 || file_has(first_.file, c)) return &first_;
        const FontFile other = find_file_with(c);
        return other.path.empty() ? nullptr : &shared_face(other);
    }

    /// Returns runs in the order in which they are drawn from left to right.
    std::vector<Run> split() const {
        std::vector<FriBidiChar> characters;
        std::vector<std::size_t> offsets;
        for (std::size_t at = 0; at < text_.size();) {
            const CodePoint c = decode_code_point(text_, at);
            characters.push_back(c.value);
            offsets.push_back(at);
            at += c.size_bytes;
        }
        const std::vector<FriBidiLevel> levels = embedding_levels(characters);
        const std::vector<ByteRange> signs = signs_in(text_);
        const auto is_sign = [&](std::size_t at) {
            return std::ranges::any_of(signs,
                                       [&](ByteRange s) { return at >= s.begin && at < s.end; });
        };
        std::vector<Run> runs;
        std::vector<FriBidiLevel> run_levels;
        for (std::size_t k = 0; k < characters.size(); ++k) {
            const std::size_t end = k + 1 < offsets.size() ? offsets[k + 1] : text_.size();
            const bool joins = !runs.empty() && stays_with_letter(characters[k]);
            SharedFace* const face = joins ? runs.back().face : face_with(characters[k]);
            const bool is_faint = is_sign(offsets[k]);
            const bool goes_on = !runs.empty() && run_levels.back() == levels[k] &&
                                 runs.back().face == face && runs.back().is_faint == is_faint &&
                                 (face != nullptr || grapheme_end(text_, runs.back().begin) >= end);
            if (!goes_on) {
                runs.push_back({face, (levels[k] & 1) != 0, is_faint, offsets[k], end});
                run_levels.push_back(levels[k]);
            }
            runs.back().end = end;
        }
        reorder(runs, run_levels);
        return runs;
    }

    static std::vector<FriBidiLevel> embedding_levels(const std::vector<FriBidiChar>& characters) {
        const auto n = static_cast<FriBidiStrIndex>(characters.size());
        std::vector<FriBidiCharType> types(characters.size());
        std::vector<FriBidiBracketType> brackets(characters.size());
        std::vector<FriBidiLevel> levels(characters.size());
        fribidi_get_bidi_types(characters.data(), n, types.data());
        fribidi_get_bracket_types(characters.data(), n, types.data(), brackets.data());
        FriBidiParType direction = FRIBIDI_PAR_LTR;
        static_cast<void>(fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), n,
                                                              &direction, levels.data()));
        return levels;
    }

    /// Turns round every sequence of runs of at least each level [UAX 9, L2].
    static void reorder(std::vector<Run>& runs, std::vector<FriBidiLevel>& levels) {
        if (levels.empty()) return;
        for (int level = *std::ranges::max_element(levels); level > 0; --level)
            for (std::size_t begin = 0; begin < runs.size(); ++begin) {
                std::size_t end = begin;
                while (end < runs.size() && levels[end] >= level) ++end;
                std::reverse(runs.begin() + static_cast<std::ptrdiff_t>(begin),
                             runs.begin() + static_cast<std::ptrdiff_t>(end));
                std::reverse(levels.begin() + static_cast<std::ptrdiff_t>(begin),
                             levels.begin() + static_cast<std::ptrdiff_t>(end));
                begin = std::max(begin, end);
            }
    }

    void shape(Run& run) {
        hb_buffer_t* const buffer = hb_buffer_create();
        hb_buffer_add_utf8(buffer, text_.data(), static_cast<int>(text_.size()),
                           static_cast<unsigned>(run.begin), static_cast<int>(run.end - run.begin));
        hb_buffer_set_direction(buffer, run.runs_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
        hb_buffer_guess_segment_properties(buffer);
        set_size(*run.face->hb);
        hb_shape(run.face->hb, buffer, nullptr, 0);
        unsigned n = 0;
        const hb_glyph_info_t* const infos = hb_buffer_get_glyph_infos(buffer, &n);
        const hb_glyph_position_t* const places = hb_buffer_get_glyph_positions(buffer, &n);
        for (unsigned k = 0; k < n; ++k) {
            if (infos[k].codepoint == 0) lacks_glyphs_ = true;
            run.glyphs.push_back({infos[k].codepoint, width_ + places[k].x_offset / kUnits,
                                  -places[k].y_offset / kUnits});
            width_ += places[k].x_advance / kUnits;
        }
        hb_buffer_destroy(buffer);
    }

    void draw_picture(Run& run) {
        auto picture = browser_letter(text_.substr(run.begin, run.end - run.begin), size_);
        if (!picture) {
            lacks_glyphs_ = true;
            width_ += size_;
            return;
        }
        run.picture = std::move(*picture);
        width_ += static_cast<double>(run.picture.advance);
    }

    const std::string& text_;
    float size_;
    SharedFace& first_;
    double width_ = 0;
    bool lacks_glyphs_ = false;
};

void show_picture(cairo_t* cairo, const LetterPicture& picture, double x) {
    const int width = picture.pixels.width, height = picture.pixels.height;
    if (width == 0) return;
    const SurfacePtr surface = make_pixels(width, height);
    unsigned char* bytes = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < height; ++y)
        for (int column = 0; column < width; ++column) {
            const std::uint8_t* p = picture.pixels.at(column, y);
            reinterpret_cast<std::uint32_t*>(bytes + std::ptrdiff_t{y} * stride)[column] =
                premultiplied({p[0], p[1], p[2], p[3]});
        }
    cairo_surface_mark_dirty(surface.get());
    const double left = x + static_cast<double>(picture.left),
                 top = static_cast<double>(picture.top);
    if (picture.has_colors()) {
        cairo_set_source_surface(cairo, surface.get(), left, top);
        cairo_paint(cairo);
    } else {
        cairo_mask_surface(cairo, surface.get(), left, top);
    }
}

}  // namespace

struct TextLine::Parts {
    std::vector<Run> runs;
    double width = 0, ascent = 0;
    float size = 0;
    bool lacks_glyphs = false;
};

TextLine::TextLine(cairo_t*, const std::string& text, float size, Font font)
    : parts_(std::make_unique<Parts>()) {
    const std::string valid = repair_utf8(with_sided_arrows(drawable_line(text)));
    LineSetter setter(valid, size, font);
    parts_->runs = setter.set();
    parts_->width = setter.width();
    parts_->ascent = setter.ascent();
    parts_->size = size;
    parts_->lacks_glyphs = setter.lacks_glyphs();
}

TextLine::~TextLine() = default;
TextLine::TextLine(TextLine&&) noexcept = default;

double TextLine::width() const {
    return parts_->width;
}

double TextLine::baseline() const {
    return parts_->ascent;
}

bool TextLine::lacks_glyphs() const {
    return parts_->lacks_glyphs;
}

TextLine::Ink TextLine::ink() const {
    const SurfacePtr surface(cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr));
    {
        const ContextPtr cairo(cairo_create(surface.get()));
        cairo_move_to(cairo.get(), 0, 0);
        draw(cairo.get());
    }
    double x = 0, y = 0, width = 0, height = 0;
    cairo_recording_surface_ink_extents(surface.get(), &x, &y, &width, &height);
    const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
    return {left, top, static_cast<int>(std::ceil(x + width)) - left,
            static_cast<int>(std::ceil(y + height)) - top};
}

void TextLine::draw(cairo_t* cairo) const {
    double left = 0, top = 0;
    cairo_get_current_point(cairo, &left, &top);
    cairo_save(cairo);
    cairo_translate(cairo, left, top + parts_->ascent);
    const FontOptionsPtr options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo, options.get());
    for (const Run& run : parts_->runs) {
        if (run.is_faint) cairo_push_group(cairo);
        if (run.face) {
            cairo_set_font_face(cairo, run.face->cairo);
            cairo_set_font_size(cairo, static_cast<double>(parts_->size));
            cairo_show_glyphs(cairo, run.glyphs.data(), static_cast<int>(run.glyphs.size()));
        } else {
            show_picture(cairo, run.picture, run.x);
        }
        if (run.is_faint) {
            cairo_pop_group_to_source(cairo);
            cairo_paint_with_alpha(cairo, static_cast<double>(kSignOpacity));
        }
    }
    cairo_restore(cairo);
}

}  // namespace headlight
