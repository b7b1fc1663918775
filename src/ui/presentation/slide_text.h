// The text of the study, typed over a slide or a page in large type; the study follows.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// The size of a slide, in its points, and of that the height over its last line which a notice
/// takes.
struct SlideRoom {
    Point size;
    float notice = 0;
};

class SlideText {
  public:
    void ask() { is_asked_ = true; }
    /// Above the last line of a slide of that size. `input` is the panel in which the text is
    /// typed. Enter and Esc close it.
    void draw(PanelContext& context, Panel& input, Point size, float foot);
    /// How high it was in the last frame; 0 while it is closed. What it changes is drawn above it.
    float height() const { return height_; }

  private:
    float height_ = 0;
    bool is_asked_ = false;
};

}  // namespace headlight
