// What goes into one frame of the workbench, and what it asks for afterwards.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "paint/figure.h"
#include "paint/pixels.h"
#include "ui/compat.h"
#include "ui/fonts/fonts.h"
#include "ui/input/input_event.h"
#include "ui/pictures/figure_view.h"

namespace headlight {

/// What the workbench draws with in one frame.
struct WorkbenchFrame {
    Fonts& fonts;
    FigureView& figures;
    compat::AstralCodes& codes;
    Point size;      // of the window, in points of its zoom
    Point unzoomed;  // of the same, at zoom 1
    bool close_asked = false;
    float zoom = 1, magnified = 1;
};

/// One colour under all that ImGui draws. Filling it is free beside what ImGui's triangles cost
/// where OpenGL is software.
struct PartBackground {
    Box box;  // points of the window
    Color color;
};

/// What it asks for after the frame.
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
    std::vector<InputEvent> events;                // that come next
    std::function<void(Pixels)> take_picture;      // what is to become of a picture of the frame
};

}  // namespace headlight
