// The difference between the last frame and the next one, so that only changed boxes are drawn.
// With software OpenGL the cost of a frame is its pixels, and most frames only answer a small move
// of the pointer.
//
// Goals: every pixel is as if the whole frame were drawn. Not goals: the smallest area.
#pragma once

#include <cstdint>
#include <functional>
#include <imgui.h>
#include <optional>
#include <utility>
#include <vector>

#include "figure/figure.h"

namespace headlight {

/// A few boxes of whole pixels, y down; whatever changed is inside of them.
using ChangedBoxes = std::vector<Box>;

class FrameChanges {
  public:
    /// Returns a number for the content of a command's texture: different for everything else that
    /// was shown so far, also where OpenGL gives the number of a texture that is gone to the next
    /// one.
    using TextureContent = std::function<std::uint64_t(const ImDrawCmd&)>;
    explicit FrameChanges(TextureContent texture_content)
        : texture_content_(std::move(texture_content)) {}

    /// Returns the boxes in which ImGui's frame differs from that of the last call; nothing if the
    /// whole frame must be drawn. A different `background` means that the picture under ImGui's
    /// commands has changed.
    std::optional<ChangedBoxes> next(const ImDrawData& data, std::uint64_t background);

    /// Makes the next frame be drawn as a whole, because the last picture is lost or looks
    /// different now.
    void forget() { last_ = {}; }

  private:
    /// A rectangle, a letter, a heatmap: a sum over its looks, and the pixels that it may touch.
    struct DrawnShape {
        std::uint64_t content = 0;
        Box box;
    };
    struct Frame {
        std::uint64_t background = 0;
        int width = 0, height = 0;       // pixels; 0: there was none
        bool is_on_pixels = false;       // every clip begins and ends with a pixel
        std::vector<DrawnShape> shapes;  // one over another
    };

    Frame read_frame(const ImDrawData& data, std::uint64_t background) const;
    void add_command(Frame& frame, const ImDrawData& data, const ImDrawList& list,
                     const ImDrawCmd& command) const;

    TextureContent texture_content_;
    Frame last_;
};

/// While it exists, the draw lists contain only the commands that touch the box.
class ClippedDrawData {
  public:
    ClippedDrawData(ImDrawData& data, const Box& box_px);
    ~ClippedDrawData();
    ClippedDrawData(const ClippedDrawData&) = delete;
    ClippedDrawData& operator=(const ClippedDrawData&) = delete;

  private:
    ImDrawData& data_;
    std::vector<ImVector<ImDrawCmd>> whole_;  // the complete commands of each list
};

}  // namespace headlight
