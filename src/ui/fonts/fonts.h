// The window's fonts: one atlas with a few sizes of each font of the figures.
//
// Goals: sharp text at every scale; any character of the user's text that an installed font has;
// sizes mean ems in points, as in the exported figures.
// Not goals: shaping beyond joined Arabic letters.
#pragma once

#include <bitset>
#include <imgui.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/figure.h"
#include "io/pictures/font_files.h"
#include "text/scripts.h"
#include "ui/compat.h"

namespace headlight {

class LetterGlyphs {
  public:
    enum class Answer { New, Known, NoFont };
    /// Returns New if a picture of the letter is to be baked from now on. Letters after the first
    /// few hundred are not baked, nor are pictures much wider than a letter.
    Answer need(const std::string& letter, compat::PrivateUseCodes& codes);

    /// Returns the character under which ImGui has the letter; 0 if it has not.
    char32_t letter_code(std::string_view letter) const;

    /// A font of the atlas, with its pixels per em.
    struct BakedFont {
        ImFont* font;
        float size_px;
    };
    /// Called before the atlas is built, and after it.
    void reserve(ImFontAtlas& atlas, std::vector<BakedFont> fonts);
    void fill(ImFontAtlas& atlas);

  private:
    struct Letter {
        Answer answer = Answer::NoFont;
        char32_t code = 0;
    };
    Letter find(const std::string& letter, compat::PrivateUseCodes& codes) const;
    const LetterPicture& picture(const std::string& letter, float size_px);

    std::map<std::string, Letter, std::less<>> letters_;
    std::size_t n_drawn_ = 0;  // the number of letters with a code
    std::vector<BakedFont> fonts_;
    std::map<std::pair<std::string, float>, LetterPicture> pictures_;  // of these sizes
    std::vector<int> rooms_;                                           // by font, then by letter
};

struct FontScale {
    float text = 1;              // the user's text zoom; fonts are baked at these sizes
    float pixels_per_point = 1;  // of the window

    bool operator==(const FontScale&) const = default;
};

/// A font as ImGui wants it: `size` is the height of a line in points.
struct SizedFont {
    ImFont* font = nullptr;
    float size = 0;
};

using CharacterSet = std::bitset<0x10000>;  // those that ImGui 1.86 has room for, by their codes

class Fonts {
  public:
    /// Returns the fonts with which the current ImGui context draws; null where none were given to
    /// it.
    static Fonts* of_context() { return static_cast<Fonts*>(ImGui::GetIO().UserData); }

    /// Needs no ImGui context, so that it can run beside the making of the window. Throws Error
    /// naming packages if no font is installed.
    explicit Fonts(FontScale scale = {});

    /// Returns the codes under which ImGui holds characters beyond 16 bits, in text fields and
    /// here.
    compat::PrivateUseCodes& codes() { return codes_; }

    /// Returns the atlas for ImGui::CreateContext; it outlives the context.
    ImFontAtlas& atlas() { return *atlas_; }
    const FontScale& scale() const { return scale_; }

    /// Takes effect with the next rebuild().
    void set_scale(FontScale scale);

    /// Asks for characters, which are there with the next rebuild(): those of this frame and of the
    /// one before, and of earlier ones as many as one texture has room for. Those beyond are drawn
    /// as �.
    void need_glyphs(const std::string& utf8);
    void need_glyph(char32_t character);

    /// Called between frames: builds the atlas anew if something above asked for it, and hands it
    /// to the renderer. Returns true if it did. Every ImFont* is another one afterwards.
    bool rebuild();
    bool must_rebuild() const { return stale_; }

    /// Returns the baked size nearest to `size` (ems, in points); scaled only when none is near.
    SizedFont at(Font font, float size) const;

    /// Makes the font current in ImGui; end with compat::pop_font().
    void push(Font font, float size) const;

    /// Returns the text to give to ImGui, so that it is drawn from left to right.
    std::string drawn_text(const std::string& text, Font font) const;
    float text_width(const std::string& text, float size, Font font) const;
    MeasureText measure() const;  // valid as long as this is

    /// True if the character has a glyph of its own now.
    bool has(Font font, char32_t character) const;

    /// The scripts that a text of the last frame needed and no font has.
    const std::vector<const Script*>& lacking_scripts() const { return lacking_before_; }

    /// The families in use, for the doctor command: "Inter, DejaVu Sans, …".
    std::string families() const;

  private:
    struct Baked {
        Font font;
        float size;  // ems, in points
        float line;  // the size by ImGui's measure, in points
        ImFont* imgui;
    };

    void build();
    void add_font(Font font, float size);
    ImFont* add_source(const FontFile& file, float size, const std::vector<ImWchar>& ranges,
                       ImFontConfig config = {});
    const std::vector<char>& bytes(const FontFile& file);
    void need_characters(const std::string& utf8);
    void need_pictures(const std::string& utf8);
    /// False if there is no room for the character.
    bool want(char32_t character);
    std::size_t most_characters() const;
    CharacterSet needed_blocks() const;
    void find_file_for(char32_t character);
    void need_letter(const std::string& letter);
    void note_lacking(const Script* script);
    std::vector<LetterGlyphs::BakedFont> baked_fonts() const;
    enum class Baking { Full, Faint };
    std::vector<ImWchar> ranges(Baking baking) const;
    float baked_line(const FontFile& file, float size) const;

    FontScale scale_;
    std::unique_ptr<ImFontAtlas> atlas_;
    std::map<Font, FontFile> files_;
    std::vector<FontFile> fallbacks_;  // for characters that the font lacks, in this order
    compat::PrivateUseCodes codes_;
    LetterGlyphs letters_;
    std::vector<const Script*> all_lacking_;               // of any text so far
    std::vector<const Script*> lacking_, lacking_before_;  // in this frame, and in the one before
    std::map<std::string, std::vector<char>> bytes_;
    CharacterSet wanted_;                         // in the atlas, or with the next one
    CharacterSet needed_, needed_before_;         // in this frame, and in the one before
    bool is_full_ = false;                        // in this frame something had no room
    std::vector<ImWchar> ranges_, faint_ranges_;  // the atlas keeps pointers to them
    std::vector<Baked> baked_;
    bool stale_ = false;
};

}  // namespace headlight
