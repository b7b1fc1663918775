// What differs between the frame that was drawn last and the next one, so that only that is drawn:
// where OpenGL is software, pixels are what a frame costs, and most frames answer a pointer that
// moved a little.
//
// Goals: every pixel is what drawing all of the frame would make it. Not goals: the smallest area.
#pragma once

#include <cstdint>
#include <imgui.h>
#include <optional>
#include <vector>

#include "paint/figure.h"

namespace headlight {

/// A few boxes of whole pixels, y down; whatever changed is inside of them.
using ChangedBoxes = std::vector<Box>;

class FrameChanges {
  public:
    /// Of ImGui's frame against the one of the last call; nothing if all of it must be drawn. What
    /// lies under ImGui's commands changed if `background` differs.
    std::optional<ChangedBoxes> next(const ImDrawData& data, std::uint64_t background);

    /// The next frame is drawn as a whole: what was drawn is lost, or looks different now.
    void forget() { last_ = {}; }

  private:
    /// A rectangle, a letter, a heatmap: a sum of what it looks like, and the pixels that it may
    /// touch.
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

    static Frame frame_of(const ImDrawData& data, std::uint64_t background);
    static void add_command(Frame& frame, const ImDrawData& data, const ImDrawList& list,
                            const ImDrawCmd& command);

    Frame last_;
};

/// While it lives, the draw lists hold only what touches the box.
class ClippedDrawData {
  public:
    ClippedDrawData(ImDrawData& data, const Box& box_px);
    ~ClippedDrawData();
    ClippedDrawData(const ClippedDrawData&) = delete;
    ClippedDrawData& operator=(const ClippedDrawData&) = delete;

  private:
    ImDrawData& data_;
    std::vector<ImVector<ImDrawCmd>> whole_;  // of each list
};

}  // namespace headlight
