// The input of one frame of the workbench, and its requests.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "ui/compat.h"
#include "ui/fonts/fonts.h"
#include "ui/input/input_event.h"
#include "ui/pictures/figure_view.h"

namespace headlight {

/// The content of a second window.
struct SecondPicture {
    /// A number that is different for every picture. 0: there is no second window.
    std::uint64_t content = 0;
    /// Returns the picture; valid in this frame.
    std::function<Figure(Point size, const MeasureText& measure)> draw;
};

/// The reason why there is no second window any more, though its picture was wanted.
enum class SecondEnd { None, Closed, NoPlace };

/// The input of one frame of the workbench.
struct WorkbenchFrame {
    Fonts& fonts;
    FigureView& figures;
    compat::PrivateUseCodes& codes;
    Point size;      // of the window, in zoomed points
    Point unzoomed;  // of the window, at zoom 1
    bool close_asked = false;
    SecondEnd second_end = SecondEnd::None;  // since the frame before
    float zoom = 1, magnified = 1;
};

/// One colour under everything that ImGui draws. With software OpenGL, filling it costs nothing
/// compared with ImGui's triangles.
struct PartBackground {
    Box box;  // points of the window
    Color color;
};

/// Requests of the workbench after a frame.
struct FrameResult {
    bool draw_again = false;
    double next_frame_secs = std::numeric_limits<double>::infinity();  // a frame by then
    bool stay_open = false;  // the user is asked whether to save
    bool quit = false;
    bool fills_screen = false;
    float magnified = 1;
    std::string title;
    Color background;                              // of the window, between its parts
    std::vector<PartBackground> part_backgrounds;  // none over another
    std::vector<InputEvent> events;                // to be handled next
    SecondPicture second;
    std::function<void(Pixels)> take_picture;  // receives a picture of the frame
};

}  // namespace headlight
