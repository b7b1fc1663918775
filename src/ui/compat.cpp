// The differences between Dear ImGui 1.86 and the current release, in one place.
#include "ui/compat.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <imgui_freetype.h>
#include <imgui_internal.h>
#include <initializer_list>
#include <string_view>
#include <utf8proc.h>
#include <utility>

#include "text/utf8.h"
#include "text/words.h"

namespace headlight::compat {
namespace {

constexpr bool kHasEvents = IMGUI_VERSION_NUM >= 18700;
constexpr Key kLastKey = Key::Question;

struct KeyName {
    Key key;
    ImGuiKey imgui;
};

#if IMGUI_VERSION_NUM >= 18700
constexpr KeyName kLaterKeys[] = {{Key::Plus, ImGuiKey_Equal}, {Key::Minus, ImGuiKey_Minus},
                                  {Key::F1, ImGuiKey_F1},      {Key::F5, ImGuiKey_F5},
                                  {Key::F6, ImGuiKey_F6},      {Key::Question, ImGuiKey_Slash}};
constexpr ImGuiKey kFirstLetter = ImGuiKey_A, kFirstDigit = ImGuiKey_0;
#else
constexpr std::initializer_list<KeyName> kLaterKeys = {};
constexpr ImGuiKey kFirstLetter{}, kFirstDigit{};  // they are told by their codes
#endif

constexpr KeyName kKeys[] = {{Key::Tab, ImGuiKey_Tab},
                             {Key::Left, ImGuiKey_LeftArrow},
                             {Key::Right, ImGuiKey_RightArrow},
                             {Key::Up, ImGuiKey_UpArrow},
                             {Key::Down, ImGuiKey_DownArrow},
                             {Key::PageUp, ImGuiKey_PageUp},
                             {Key::PageDown, ImGuiKey_PageDown},
                             {Key::Home, ImGuiKey_Home},
                             {Key::End, ImGuiKey_End},
                             {Key::Insert, ImGuiKey_Insert},
                             {Key::Delete, ImGuiKey_Delete},
                             {Key::Backspace, ImGuiKey_Backspace},
                             {Key::Space, ImGuiKey_Space},
                             {Key::Enter, ImGuiKey_Enter},
                             {Key::Escape, ImGuiKey_Escape},
                             {Key::A, ImGuiKey_A},
                             {Key::C, ImGuiKey_C},
                             {Key::V, ImGuiKey_V},
                             {Key::X, ImGuiKey_X},
                             {Key::Y, ImGuiKey_Y},
                             {Key::Z, ImGuiKey_Z}};

[[maybe_unused]] ImGuiKey imgui_key(Key key) {
    for (const KeyName& name : kKeys)
        if (name.key == key) return name.imgui;
    for (const KeyName& name : kLaterKeys)
        if (name.key == key) return name.imgui;
    const auto from = [&](ImGuiKey first, Key start) {
        return static_cast<ImGuiKey>(first + static_cast<int>(key) - static_cast<int>(start));
    };
    if (key >= Key::A && key <= Key::Z) return from(kFirstLetter, Key::A);
    if (key >= Key::Zero && key <= Key::Nine) return from(kFirstDigit, Key::Zero);
    return ImGuiKey{};
}

/// The text field that has the keyboard, as ImGui knows it; null if none has.
const ImGuiInputTextState* active_field() {
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    const bool is_active = imgui.ActiveId != 0 && imgui.ActiveId == imgui.InputTextState.ID;
    return is_active ? &imgui.InputTextState : nullptr;
}

bool takes_tabs(const ImGuiInputTextState* field) {
    return field && (field->Flags & ImGuiInputTextFlags_AllowTabInput) != 0;
}

/// Prepares a text for a field: ImGui leaves out characters that the field does not take, which
/// would join the words that they part.
std::string text_for_field(const std::string& text, const ImGuiInputTextState& field) {
    if (!(field.Flags & ImGuiInputTextFlags_Multiline)) return on_one_line(text);
    std::string plain = with_plain_separators(text);
    if (!takes_tabs(&field)) std::ranges::replace(plain, '\t', ' ');
    return plain;
}

const char* clipboard_text(Clipboard& clipboard) {
    clipboard.last_text = clipboard.get();
    if (const ImGuiInputTextState* field = active_field())
        clipboard.last_text = text_for_field(clipboard.last_text, *field);
    return clipboard.last_text.c_str();
}

}  // namespace

std::string to_utf8(char32_t character) {
    utf8proc_uint8_t bytes[4];
    const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), bytes);
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

void set_up_keys(ImGuiIO& io) {
    // Ctrl+Tab is the program's own. ImGui's list of windows, which would come and take the
    // keyboard, is switched off here, and before 1.90 in begin_frame.
#if IMGUI_VERSION_NUM >= 19000
    ImGuiContext& g = *ImGui::GetCurrentContext();
    g.ConfigNavWindowingKeyNext = g.ConfigNavWindowingKeyPrev = 0;
#endif
#if IMGUI_VERSION_NUM >= 18700
    (void)io;
#else
    for (const KeyName& name : kKeys) io.KeyMap[name.imgui] = static_cast<int>(name.key);
#endif
}

void send_mouse_position(ImGuiIO& io, float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(x, y);
#else
    io.MousePos = ImVec2(x, y);
#endif
}

void send_mouse_button(ImGuiIO& io, int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMouseButtonEvent(button, down);
#else
    io.MouseDown[button] = down;
#endif
}

void send_character(ImGuiIO& io, char32_t character) {
    const bool is_taken = character == '\n' || (character == '\t' && takes_tabs(active_field()));
    const bool is_separator = is_control(character) || character == 0x2028 || character == 0x2029;
    io.AddInputCharacter(is_separator && !is_taken ? ' ' : character);
}

void send_wheel(ImGuiIO& io, float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMouseWheelEvent(x, y);
#else
    io.MouseWheelH += x;
    io.MouseWheel += y;
#endif
}

bool is_scrolled_by_wheel() {
    const ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow;
    while (window && window->ScrollMax.y <= 0)
        window = window->Flags & ImGuiWindowFlags_ChildWindow ? window->ParentWindow : nullptr;
    return window != nullptr;
}

void send_key(ImGuiIO& io, Key key, bool down) {
    if (key == Key::None) return;
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(imgui_key(key), down);
#else
    io.KeysDown[static_cast<int>(key)] = down;
#endif
}

void send_modifiers(ImGuiIO& io, bool ctrl, bool shift, bool alt) {
#if IMGUI_VERSION_NUM >= 18900
    io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, shift);
    io.AddKeyEvent(ImGuiMod_Alt, alt);
#elif IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
    io.AddKeyEvent(ImGuiKey_ModShift, shift);
    io.AddKeyEvent(ImGuiKey_ModAlt, alt);
#else
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    io.KeyAlt = alt;
#endif
}

void send_focus(ImGuiIO& io, bool focused) {
    io.AddFocusEvent(focused);
    if (focused) return;
    for (int button = 0; button < 3; ++button) send_mouse_button(io, button, false);
    send_modifiers(io, false, false, false);
    if constexpr (kHasEvents) return;
    for (int key = 0; key <= static_cast<int>(kLastKey); ++key) {
        send_key(io, static_cast<Key>(key), false);
    }
}

bool is_key_down(Key key) {
#if IMGUI_VERSION_NUM >= 18700
    return ImGui::IsKeyDown(imgui_key(key));
#else
    return ImGui::IsKeyDown(static_cast<int>(key));
#endif
}

bool is_key_pressed(Key key, Repeat repeat) {
#if IMGUI_VERSION_NUM >= 18700
    return ImGui::IsKeyPressed(imgui_key(key), repeat == Repeat::Yes);
#else
    return ImGui::IsKeyPressed(static_cast<int>(key), repeat == Repeat::Yes);
#endif
}

void set_clipboard(Clipboard& clipboard) {
#if IMGUI_VERSION_NUM >= 19110
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    io.Platform_ClipboardUserData = &clipboard;
    io.Platform_GetClipboardTextFn = [](ImGuiContext*) {
        return clipboard_text(
            *static_cast<Clipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData));
    };
    io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
        static_cast<Clipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData)->set(text);
    };
#else
    ImGuiIO& io = ImGui::GetIO();
    io.ClipboardUserData = &clipboard;
    io.GetClipboardTextFn = [](void* user) {
        return clipboard_text(*static_cast<Clipboard*>(user));
    };
    io.SetClipboardTextFn = [](void* user, const char* text) {
        static_cast<Clipboard*>(user)->set(text);
    };
#endif
}

// Light hinting keeps the shapes and aligns heights to pixels.
void use_freetype(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
    atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
    atlas.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
#else
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
#endif
}

float atlas_font_size(float size, float pixels_per_point) {
    return IMGUI_VERSION_NUM >= 19200 ? size : std::round(size * pixels_per_point);
}

void begin_frame() {
#if IMGUI_VERSION_NUM >= 19200
    ImGuiContext& g = *ImGui::GetCurrentContext();
    const bool has_textures = (g.IO.BackendFlags & ImGuiBackendFlags_RendererHasTextures) != 0;
    ImFontAtlasUpdateNewFrame(g.IO.Fonts, g.FrameCount + 1, has_textures);
#endif
    ImGui::NewFrame();
#if IMGUI_VERSION_NUM < 19000
    ImGuiContext& imgui = *ImGui::GetCurrentContext();
    imgui.NavWindowingTarget = imgui.NavWindowingTargetAnim = nullptr;
#endif
}

bool build_atlas([[maybe_unused]] ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
    return true;
#else
    return atlas.Build();
#endif
}

void upload_atlas() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

bool upload_textures([[maybe_unused]] const ImDrawData& data) {
    bool any = false;
#if IMGUI_VERSION_NUM >= 19200
    if (!data.Textures) return false;
    for (ImTextureData* texture : *data.Textures) {
        if (texture->Status == ImTextureStatus_OK) continue;
        ImGui_ImplOpenGL3_UpdateTexture(texture);
        any = true;
    }
#endif
    return any;
}

std::uint64_t texture_number(const ImDrawCmd& command) {
#if IMGUI_VERSION_NUM >= 19200
    const ImTextureRef& texture = command.TexRef;
    return texture._TexData ? reinterpret_cast<std::uintptr_t>(texture._TexData)
                            : static_cast<std::uint64_t>(texture._TexID);
#else
    return reinterpret_cast<std::uintptr_t>(command.TextureId);
#endif
}

void end_everything() {
#if IMGUI_VERSION_NUM >= 19130
    ImGuiIO& io = ImGui::GetIO();
    const bool asserts = std::exchange(io.ConfigErrorRecoveryEnableAssert, false);
    ImGui::ErrorRecoveryTryToRecoverState(&ImGui::GetCurrentContext()->StackSizesInNewFrame);
    io.ConfigErrorRecoveryEnableAssert = asserts;
#else
    while (!ImGui::GetCurrentContext()->FontStack.empty()) ImGui::PopFont();
    ImGui::ErrorCheckEndFrameRecover(nullptr);
#endif
}

namespace {

/// Draws a sentence in the place of a window that cannot be drawn.
void draw_instead(ImGuiWindow& window) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ImDrawList& list = *window.DrawList;
    list._ResetForNewFrame();
#if IMGUI_VERSION_NUM >= 19200
    list.PushTexture(g.IO.Fonts->TexRef);
#else
    list.PushTextureID(g.IO.Fonts->TexID);
#endif
    const ImRect room = window.OuterRectClipped;
    list.PushClipRect(room.Min, room.Max);
    const ImVec2 at{room.Min.x + 12, room.Min.y + 12};
    list.AddText(g.Font, g.FontSize, at, ImGui::GetColorU32(ImGuiCol_Text),
                 "There is more here than can be drawn.");
}

}  // namespace

void drop_overfull_lists() {
    if constexpr (sizeof(ImDrawIdx) > 2) return;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->DrawList->_VtxCurrentIdx >= 1u << 16) draw_instead(*window);
}

void add_reset_callback(ImDrawList& list) {
#if IMGUI_VERSION_NUM >= 19280
    list.AddCallback(ImGui::GetPlatformIO().DrawCallback_ResetRenderState, nullptr);
#else
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
#endif
}

void add_text_at_origin(ImDrawList& list, ImFont& font, float size, ImU32 color,
                        const std::string& text) {
    const ImVec4 everywhere(-FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX);
#if IMGUI_VERSION_NUM >= 19200
    list.PushTexture(font.OwnerAtlas->TexRef);
#else
    list.PushTextureID(font.ContainerAtlas->TexID);
#endif
    font.RenderText(&list, size, ImVec2(0, 0), color, everywhere, text.data(),
                    text.data() + text.size());
#if IMGUI_VERSION_NUM >= 19200
    list.PopTexture();
#else
    list.PopTextureID();
#endif
}

bool begin_child(const char* id, ImVec2 size, Border border, ImGuiWindowFlags flags) {
    flags |= ImGuiWindowFlags_NoNav;  // KeyboardFocus leads through the window
#if IMGUI_VERSION_NUM >= 19000
    const ImGuiChildFlags child = border == Border::Yes ? 1 : 0;
    return ImGui::BeginChild(id, size, child, flags);
#else
    return ImGui::BeginChild(id, size, border == Border::Yes, flags);
#endif
}

void leave_field() {
    ImGui::ClearActiveID();
}

void focus_next_item() {
    ImGui::SetKeyboardFocusHere();
#if IMGUI_VERSION_NUM == 19010
    // ImGui 1.90.1 finds it only in the window that had the keyboard before.
    ImGuiContext& imgui = *ImGui::GetCurrentContext();
    imgui.NavFocusScopeId = imgui.CurrentFocusScopeId;
#endif
}

std::vector<DrawnGlyph> drawn_glyphs(const ImFontAtlas& atlas) {
    std::vector<DrawnGlyph> glyphs;
    const auto add = [&](const auto& glyph, float size) {
        glyphs.push_back({{glyph.U0, glyph.V0, glyph.U1, glyph.V1},
                          {glyph.X0, glyph.Y0},
                          {glyph.X1, glyph.Y1},
                          glyph.AdvanceX,
                          size,
                          static_cast<char32_t>(glyph.Codepoint)});
    };
#if IMGUI_VERSION_NUM >= 19200
    for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
        ImFontBaked& baked = atlas.Builder->BakedPool[i];
        for (const ImFontGlyph& glyph : baked.Glyphs) add(glyph, baked.Size);
    }
#else
    for (const ImFont* font : atlas.Fonts)
        for (const ImFontGlyph& glyph : font->Glyphs) add(glyph, font->FontSize);
#endif
    return glyphs;
}

void set_points([[maybe_unused]] ImFont& font, [[maybe_unused]] float pixels_per_point) {
#if IMGUI_VERSION_NUM < 19200
    font.Scale = 1 / pixels_per_point;
#endif
}

bool has_glyph(ImFont& font, ImWchar character) {
#if IMGUI_VERSION_NUM >= 19200
    return font.IsGlyphInFont(character);
#else
    return font.FindGlyphNoFallback(character) != nullptr;
#endif
}

const char* wrapped_end(ImFont& font, float size, std::string_view text, float width) {
    const char* end = text.data() + text.size();
#if IMGUI_VERSION_NUM >= 19200
    return font.CalcWordWrapPosition(size, text.data(), end, width);
#else
    return font.CalcWordWrapPositionA(size / font.FontSize, text.data(), end, width);
#endif
}

float ascent(ImFont& font, float size) {
#if IMGUI_VERSION_NUM >= 19200
    return font.GetFontBaked(size)->Ascent;
#else
    return font.Ascent * size / font.FontSize;
#endif
}

void push_font(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(font, size);
#else
    ImGui::PushFont(font);
#endif
}

namespace {

/// Calls visit(character) for each character; bytes that are not UTF-8 are U+FFFD.
template <typename Visit>
void for_each_character(std::string_view utf8, Visit visit) {
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint next = decode_code_point(utf8, at);
        visit(next.value);
        at += next.size_bytes;
    }
}

}  // namespace

std::string PrivateUseCodes::encode(const std::string& utf8) {
    std::string encoded;
    const auto add = [&](char32_t character) { encoded += to_utf8(encode(character)); };
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t end = grapheme_end(utf8, at);
        const std::string_view letter = std::string_view(utf8).substr(at, end - at);
        const std::size_t drawn = code_points_end(letter, kMostLetterCodePoints);
        for_each_character(letter.substr(0, drawn), add);
        const std::string marks = repair_utf8(letter.substr(drawn));
        const char32_t code = marks.empty() ? 0 : find_or_add_code(marks);
        if (code == kReplacementCharacter) {
            for_each_character(marks, add);
        } else if (code != 0) {
            encoded += to_utf8(code);
        }
        at = end;
    }
    return encoded;
}

std::string PrivateUseCodes::decode(const std::string& utf8) const {
    std::string decoded;
    for_each_character(utf8, [&](char32_t character) {
        const bool coded = character >= kFirst && character - kFirst < texts_.size();
        decoded += coded ? texts_[character - kFirst] : to_utf8(character);
    });
    return decoded;
}

char32_t PrivateUseCodes::encode(char32_t character) {
    return character > 0xFFFF || is_code(character) ? find_or_add_code(to_utf8(character))
                                                    : character;
}

char32_t PrivateUseCodes::find_or_add_code(const std::string& text) {
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    const auto place = static_cast<char32_t>(found - texts_.begin());
    if (found == texts_.end()) {
        if (texts_.size() > kLast - kFirst) return kReplacementCharacter;
        texts_.push_back(text);
    }
    return kFirst + place;
}

int reserve_picture([[maybe_unused]] ImFontAtlas& atlas, [[maybe_unused]] const Pixels& pixels) {
#if IMGUI_VERSION_NUM >= 19200
    return -1;
#else
    return atlas.AddCustomRectRegular(std::max(pixels.width, 1), std::max(pixels.height, 1));
#endif
}

void fill_picture([[maybe_unused]] ImFontAtlas& atlas, [[maybe_unused]] ImFont& font,
                  [[maybe_unused]] int room, [[maybe_unused]] char32_t code,
                  [[maybe_unused]] const LetterPicture& picture) {
#if IMGUI_VERSION_NUM < 19200
    const ImFontAtlasCustomRect& rect = *atlas.GetCustomRectByIndex(room);
    if (!rect.IsPacked()) return;  // there was no room
    const Pixels& pixels = picture.pixels;
    unsigned char* texture = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&texture, &width, &height);
    for (int y = 0; y < pixels.height; ++y)
        std::copy_n(pixels.at(0, y), 4 * pixels.width,
                    texture + 4 * (static_cast<std::ptrdiff_t>(rect.Y + y) * width + rect.X));
    ImVec2 low, high;
    atlas.CalcCustomRectUV(&rect, &low, &high);
    const float x = picture.left, y = std::round(font.Ascent + picture.top);
    font.AddGlyph(nullptr, static_cast<ImWchar>(code), x, y, x + static_cast<float>(rect.Width),
                  y + static_cast<float>(rect.Height), low.x, low.y, high.x, high.y,
                  picture.advance);
    font.Glyphs.back().Colored = picture.has_colors() ? 1 : 0;
#endif
}

void finish_pictures([[maybe_unused]] ImFont& font) {
#if IMGUI_VERSION_NUM < 19200
    font.BuildLookupTable();
#endif
}

ImTextureID texture_id(unsigned texture) {
    return (ImTextureID)(std::intptr_t)texture;  // a number or a pointer, by version
}

OffscreenDrawList::OffscreenDrawList(ImVec2 low, ImVec2 size, float scale)
    : list_(ImGui::GetDrawListSharedData()), lists_{&list_} {
    list_._ResetForNewFrame();
#if IMGUI_VERSION_NUM >= 19200
    list_.PushTexture(ImGui::GetIO().Fonts->TexRef);
#else
    list_.PushTextureID(ImGui::GetIO().Fonts->TexID);
#endif
    list_.PushClipRect(low, {low.x + size.x, low.y + size.y});
    data_.Valid = true;
    data_.DisplayPos = low;
    data_.DisplaySize = size;
    data_.FramebufferScale = {scale, scale};
}

ImDrawData& OffscreenDrawList::finish() {
#if IMGUI_VERSION_NUM >= 18980
    data_.AddDrawList(&list_);
#else
    data_.CmdLists = lists_;
    data_.CmdListsCount = 1;
    data_.TotalVtxCount = list_.VtxBuffer.Size;
    data_.TotalIdxCount = list_.IdxBuffer.Size;
#endif
    return data_;
}

}  // namespace headlight::compat
