// What differs in fonts.
#include <string_view>

#include "ui/compat.h"

namespace headlight::compat {

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

}  // namespace headlight::compat
