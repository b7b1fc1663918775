// Presentation: what a hall sees in place of the panels, and what points at it.
#pragma once

#include "ui/presentation/laser.h"
#include "ui/presentation/slide.h"
#include "ui/widgets/text_zoom.h"

namespace headlight {

class Presentation {
  public:
    bool is_on() const { return is_on_; }
    /// The chosen matrix becomes the slide, or the view or the page of the lecture as it is.
    enum class Of { Steps, View, Lecture };
    void begin(Of of, Selection& selection);
    void end() { is_on_ = false; }

    /// At which a slide fills a window of that size.
    float zoom(Point window) const { return text.value() * slide_zoom(window); }

    /// Around the pointer; 1: there is no magnifying glass. The wheel changes it.
    float magnified() const { return magnified_; }
    void set_magnified(float magnified) { magnified_ = magnified; }
    void turn_magnifying_glass() { magnified_ = magnified_ > 1 ? 1 : kMagnified; }

    TextZoom text{kMostSlideText};
    Slide slide;
    Laser laser;

  private:
    // More would leave the matrix less than half of the slide.
    static constexpr float kMostSlideText = 1.5f;
    static constexpr float kMagnified = 2;

    bool is_on_ = false;
    float magnified_ = 1;
};

}  // namespace headlight
