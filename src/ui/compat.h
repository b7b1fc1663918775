// The differences between Dear ImGui 1.86 and the current release, in one place.
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

#include "io/pictures/font_files.h"
#include "ui/input/input_event.h"

namespace headlight::compat {

/// Called once, after ImGui::CreateContext.
void set_up_keys(ImGuiIO& io);

/// Calls ImGui::NewFrame, after the renderer's. Also starts the frame of the atlas, which was made
/// apart from the context and whose letters are drawn when they are needed since 1.92.
void begin_frame();

/// Input is sent before begin_frame, at most one press or release of the same thing a frame.
void send_mouse_position(ImGuiIO& io, float x, float y);
void send_mouse_button(ImGuiIO& io, int button, bool down);
void send_character(ImGuiIO& io, char32_t character);  // a blank where no field takes it
void send_wheel(ImGuiIO& io, float x, float y);
bool is_scrolled_by_wheel();  // what is under the pointer
void send_key(ImGuiIO& io, Key key, bool down);
void send_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt);
void send_focus(ImGuiIO& io, bool focused);  // losing it releases every key and button

/// These are for shortcuts, within a frame.
enum class Repeat { No, Yes };
bool is_key_down(Key key);
bool is_key_pressed(Key key, Repeat repeat = Repeat::No);

struct Clipboard {
    std::function<std::string()> get;
    std::function<void(const std::string&)> set;
    std::string last_text;  // the text that ImGui was given last: it keeps a pointer to it
};

/// `clipboard` outlives the context.
void set_clipboard(Clipboard& clipboard);

/// These functions are about fonts.
void use_freetype(ImFontAtlas& atlas);
/// Returns the size to give to AddFontFromMemoryTTF so that a line of `size` points has whole
/// pixels.
float atlas_font_size(float size, float pixels_per_point);
void set_points(ImFont& font, float pixels_per_point);  // after the atlas was built
bool has_glyph(ImFont& font, ImWchar character);
/// Returns where the first line of a text ends if it is wrapped between words in that width.
const char* wrapped_end(ImFont& font, float size, std::string_view text, float width);
float ascent(ImFont& font, float size);  // from the top of a line to its baseline, in points
void push_font(ImFont* font, float size);
inline void pop_font() {
    ImGui::PopFont();
}

/// Builds the atlas if this version does so beforehand. False if it cannot be built.
bool build_atlas(ImFontAtlas& atlas);

/// Called after the atlas was built anew, between two frames.
void upload_atlas();

/// Makes and changes textures as this frame asks for it, before anything is drawn with them. True
/// if there were any.
bool upload_textures(const ImDrawData& data);
/// Returns a number that is different for every texture.
std::uint64_t texture_number(const ImDrawCmd& command);

/// Ends all that was begun in this frame, after an exception, so that it can be rendered or left.
void end_everything();

/// Called after ImGui::EndFrame. A window whose list holds more corners than 16 bits can number
/// shows a sentence in its place, where ImGui would end the program.
void drop_overfull_lists();

/// Restores ImGui's own OpenGL state after a callback in a draw list.
void add_reset_callback(ImDrawList& list);

/// Adds one line of text whose top left corner is at (0, 0), clipped by nothing.
void add_text_at_origin(ImDrawList& list, ImFont& font, float size, ImU32 color,
                        const std::string& text);

/// These make a glyph of a picture: it is given room before the atlas is built and filled in after;
/// finish_pictures follows the last one of a font. With ImGui 1.92 they do nothing: such letters
/// are shown as missing.
int reserve_picture(ImFontAtlas& atlas, const Pixels& pixels);
void fill_picture(ImFontAtlas& atlas, ImFont& font, int room, char32_t code,
                  const LetterPicture& picture);
void finish_pictures(ImFont& font);

/// A letter of the atlas: its corners in the texture, and in points from the start of its line.
struct DrawnGlyph {
    ImVec4 uv;
    ImVec2 low, high;
    float advance = 0, size = 0;  // advance: to the next letter; size: of the font
    char32_t character = 0;
};
std::vector<DrawnGlyph> drawn_glyphs(const ImFontAtlas& atlas);
std::string to_utf8(char32_t character);

/// A child window with or without a border.
enum class Border { No, Yes };
bool begin_child(const char* id, ImVec2 size, Border border, ImGuiWindowFlags flags = 0);

/// The item that comes next gets the keyboard.
void focus_next_item();
/// Called before anything is drawn in a frame: the field that is typed into loses the keyboard, and
/// takes its text over as if another place had been clicked. An open popup stays.
void leave_field();

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

/// Gives a code of its own to everything that ImGui cannot hold or draw, so that editing text next
/// to it does not destroy it: to characters of more than 16 bits, and to the marks of a letter that
/// has more than can be drawn. The codes are those of the Yi syllables, which are coded as well:
/// decode(encode(text)) is text, for any valid UTF-8. (ImGui swallows typed characters of the
/// private use area.)
class PrivateUseCodes {
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
class OffscreenDrawList {
  public:
    /// The rectangle is in the list's own points; each of them is `scale` pixels.
    OffscreenDrawList(ImVec2 low, ImVec2 size, float scale);
    ImDrawList& list() { return list_; }
    ImDrawData& finish();

  private:
    ImDrawList list_;
    ImDrawList* lists_[1];
    ImDrawData data_;
};

}  // namespace headlight::compat
