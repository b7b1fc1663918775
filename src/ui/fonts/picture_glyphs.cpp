// Pictures among the glyphs of ImGui before 1.92.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "ui/compat.h"

namespace headlight::compat {

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
    font.Glyphs.back().Colored = picture.has_colors ? 1 : 0;
#endif
}

void finish_pictures([[maybe_unused]] ImFont& font) {
#if IMGUI_VERSION_NUM < 19200
    font.BuildLookupTable();
#endif
}

}  // namespace headlight::compat
