// What the workbench gets for a frame, and what it asks for after it.
#pragma once

#include <limits>
#include <string>

#include "paint/figure.h"
#include "ui/compat.h"
#include "ui/figure_view.h"
#include "ui/fonts.h"

namespace headlight {

/// What the workbench draws with in one frame.
struct WorkbenchFrame {
    Fonts& fonts;
    FigureView& figures;
    compat::AstralCodes& codes;
    Point size;  // of the window, in points
    bool close_asked = false;
};

/// What it asks for after the frame.
struct WorkbenchWishes {
    bool draw_again = false;
    double next_frame_secs = std::numeric_limits<double>::infinity();  // a frame by then
    bool stay_open = false;  // the user is asked whether to save
    bool quit = false;
    std::string title;
    std::vector<InputEvent> events;  // that come next
};

}  // namespace headlight
