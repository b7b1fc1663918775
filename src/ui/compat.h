// What differs between Dear ImGui 1.86 and the current release, in one place.
//
// Goals: everything else in ui/ and app/ compiles unchanged with both. 1.86 has no event functions,
// bakes every font size beforehand, holds characters in 16 bits and draws only inside a frame.
#pragma once

#include <cstdint>
#include <functional>
#include <imgui.h>
#include <string>
#include <string_view>
#include <vector>

#include "io/pictures/letter_picture.h"
#include "ui/input/input_event.h"

namespace headlight::compat {

/// Once after ImGui::CreateContext.
void set_up_keys(ImGuiIO& io);

/// ImGui::NewFrame, after the renderer's. The atlas was made apart from the context; since 1.92 its
/// letters are drawn when they are needed, so that it starts a frame as well.
void begin_frame();

/// Input, before begin_frame. At most one press or release of the same thing a frame.
void send_mouse_position(ImGuiIO& io, float x, float y);
void send_mouse_button(ImGuiIO& io, int button, bool down);
void send_character(ImGuiIO& io, char32_t character);  // a blank where no field takes it
void send_wheel(ImGuiIO& io, float x, float y);
void send_key(ImGuiIO& io, Key key, bool down);
void send_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt);
void send_focus(ImGuiIO& io, bool focused);  // losing it releases every key and button

/// For shortcuts, within a frame.
enum class Repeat { No, Yes };
bool is_key_down(Key key);
bool is_key_pressed(Key key, Repeat repeat = Repeat::No);

struct Clipboard {
    std::function<std::string()> get;
    std::function<void(const std::string&)> set;
    std::string last_text;  // what ImGui was given last: it keeps a pointer to it
};

/// `clipboard` outlives the context.
void set_clipboard(Clipboard& clipboard);

/// Fonts.
void use_freetype(ImFontAtlas& atlas);
/// What AddFontFromMemoryTTF wants for a line of whole pixels, whose size is in points.
float atlas_font_size(float size, float pixels_per_point);
void set_points(ImFont& font, float pixels_per_point);  // after the atlas was built
bool has_glyph(ImFont& font, ImWchar character);
/// Where the first line of a text ends if it is wrapped between words in that width.
const char* wrapped_end(ImFont& font, float size, std::string_view text, float width);
float ascent(ImFont& font, float size);  // from the top of a line to its baseline, in points
void push_font(ImFont* font, float size);
inline void pop_font() {
    ImGui::PopFont();
}

/// Builds the atlas if this version does so beforehand. False if it cannot be built.
bool build_atlas(ImFontAtlas& atlas);

/// After the atlas was built anew, between two frames.
void upload_atlas();

/// Makes and changes textures as this frame asks for it, before anything is drawn with them. True
/// if there were any.
bool upload_textures(const ImDrawData& data);
/// Another one for every texture.
std::uint64_t texture_number(const ImDrawCmd& command);

/// After an exception: ends all that was begun in this frame, so that it can be rendered or left.
void end_everything();

/// After ImGui::EndFrame: a window whose list holds more corners than 16 bits can number shows a
/// sentence in its place, where ImGui would end the program.
void drop_overfull_lists();

/// Restores ImGui's own OpenGL state after a callback in a draw list.
void add_reset_callback(ImDrawList& list);

/// Glyphs of one line at the origin, their top left corner at (0, 0), clipped by nothing.
void add_text_at_origin(ImDrawList& list, ImFont& font, float size, ImU32 color,
                        const std::string& text);

/// A glyph that is a picture: room for it before the atlas is built, the picture afterwards, and
/// after the last of a font. ImGui 1.92 has none of it: such letters are shown as missing.
int reserve_picture(ImFontAtlas& atlas, const Pixels& pixels);
void fill_picture(ImFontAtlas& atlas, ImFont& font, int room, char32_t code,
                  const LetterPicture& picture);
void finish_pictures(ImFont& font);

/// A letter of the atlas: its corners in the texture, and in points from the start of its line.
struct DrawnGlyph {
    ImVec4 uv;
    ImVec2 low, high;
    float advance = 0, size = 0;  // to the next letter; of the font
    char32_t character = 0;
};
std::vector<DrawnGlyph> drawn_glyphs(const ImFontAtlas& atlas);
std::string to_utf8(char32_t character);

/// A child window with or without a border.
enum class Border { No, Yes };
bool begin_child(const char* id, ImVec2 size, Border border, ImGuiWindowFlags flags = 0);

/// The item that comes next gets the keyboard.
void focus_next_item();

/// While it exists, the edges of shapes fade over this many points.
class FringeWidth {
  public:
    FringeWidth(ImDrawList& list, float points) : list_(list), before_(list._FringeScale) {
        list_._FringeScale = points;
    }
    ~FringeWidth() { list_._FringeScale = before_; }
    FringeWidth(const FringeWidth&) = delete;
    FringeWidth& operator=(const FringeWidth&) = delete;

  private:
    ImDrawList& list_;
    float before_;
};

/// What ImGui cannot hold or draw, each under a code of its own, so that editing text next to it
/// does not destroy it: characters of more than 16 bits, and the marks of a letter that has more
/// than can be drawn. The codes are those of the Yi syllables, which are coded
/// as well: decode(encode(text)) is text, for any valid UTF-8. (ImGui swallows typed characters of
/// the private use area.)
class AstralCodes {
  public:
    static constexpr char32_t kFirst = 0xA000, kLast = 0xA4CF;

    std::string encode(const std::string& utf8);
    std::string decode(const std::string& utf8) const;
    char32_t encode(char32_t character);  // U+FFFD when all codes are taken
    char32_t find_or_add_code(const std::string& text);
    static bool is_code(char32_t character) { return character >= kFirst && character <= kLast; }

  private:
    std::vector<std::string> texts_;  // [k] has the code kFirst + k
};

/// A texture of OpenGL, for ImDrawList::AddImage.
ImTextureID texture_id(unsigned texture);

/// One draw list on its own, which ImGui's renderer draws outside of any frame.
class LoneDrawList {
  public:
    /// The rectangle is in the list's own points; each of them is `scale` pixels.
    LoneDrawList(ImVec2 low, ImVec2 size, float scale);
    ImDrawList& list() { return list_; }
    ImDrawData& finish();

  private:
    ImDrawList list_;
    ImDrawList* lists_[1];
    ImDrawData data_;
};

}  // namespace headlight::compat
