#include "ui/fonts/screen_text.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "ui/compat.h"

namespace headlight {
namespace {

constexpr float kSpace = 0.12f, kFarther = 1.2f, kOtherLine = 0.15f;  // em

using Corners = std::array<float, 4>;
using Glyphs = std::map<Corners, compat::DrawnGlyph>;

/// Where a letter stands on the screen: along its line and across it, in points.
struct Letter {
    const compat::DrawnGlyph* glyph;
    ImVec2 start;      // of its line's top, where the pen was
    ImVec2 direction;  // of the line, length 1
    float scale;       // points a point of the font

    float em() const { return glyph->size * scale; }
    ImVec2 end() const {
        const float advance = glyph->advance * scale;
        return {start.x + advance * direction.x, start.y + advance * direction.y};
    }
};

class Reader {
  public:
    explicit Reader(const ImFontAtlas& atlas) {
        for (const compat::DrawnGlyph& glyph : compat::drawn_glyphs(atlas))
            glyphs_.insert({{glyph.uv.x, glyph.uv.y, glyph.uv.z, glyph.uv.w}, glyph});
    }

    void read(const ImDrawList& list) {
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback) continue;
            const unsigned int end = command.IdxOffset + command.ElemCount;
            for (unsigned int at = command.IdxOffset; at + 6 <= end;)
                at += read_letter(list, command, static_cast<int>(at)) ? 6 : 3;
        }
    }

    std::string take() { return std::move(text_); }

  private:
    /// A letter is two triangles, from its upper left corner clockwise.
    bool read_letter(const ImDrawList& list, const ImDrawCmd& command, int at) {
        const auto vertex = [&](int k) -> const ImDrawVert& {
            const auto index = static_cast<int>(list.IdxBuffer[at + k] + command.VtxOffset);
            return list.VtxBuffer[index];
        };
        const ImDrawVert &low = vertex(0), &right = vertex(1), &high = vertex(2);
        const auto found = glyphs_.find({low.uv.x, low.uv.y, high.uv.x, high.uv.y});
        if (found == glyphs_.end()) return false;
        const ImVec2 middle{(low.pos.x + high.pos.x) / 2, (low.pos.y + high.pos.y) / 2};
        const ImVec4& clip = command.ClipRect;
        if (middle.x >= clip.x && middle.y >= clip.y && middle.x < clip.z && middle.y < clip.w)
            add(place(found->second, low.pos, right.pos));
        return true;
    }

    static Letter place(const compat::DrawnGlyph& glyph, ImVec2 low, ImVec2 right) {
        const float width = std::hypot(right.x - low.x, right.y - low.y);
        const ImVec2 along{(right.x - low.x) / width, (right.y - low.y) / width};
        const float scale = width / (glyph.high.x - glyph.low.x);
        const float x = glyph.low.x * scale, y = glyph.low.y * scale;
        const ImVec2 start{low.x - x * along.x + y * along.y, low.y - x * along.y - y * along.x};
        return {&glyph, start, along, scale};
    }

    void add(const Letter& letter) {
        if (last_) text_ += between(*last_, letter);
        text_ += compat::to_utf8(letter.glyph->character);
        last_ = letter;
    }

    static const char* between(const Letter& last, const Letter& next) {
        const ImVec2 pen = last.end();
        const ImVec2 gap{next.start.x - pen.x, next.start.y - pen.y};
        const float along = gap.x * last.direction.x + gap.y * last.direction.y;
        const float across = gap.y * last.direction.x - gap.x * last.direction.y;
        const float em = last.em();
        if (std::abs(across) > kOtherLine * em || along < -kSpace * em || along > kFarther * em)
            return "\n";
        return along > kSpace * em ? " " : "";
    }

    Glyphs glyphs_;
    std::optional<Letter> last_;
    std::string text_;
};

}  // namespace

std::string screen_text(const ImDrawData& frame, const ImFontAtlas& atlas) {
    Reader reader(atlas);
    for (int i = 0; i < frame.CmdListsCount; ++i) reader.read(*frame.CmdLists[i]);
    return reader.take();
}

}  // namespace headlight
