// Laser: a red dot with a fading trail that follows the pointer, for pointing at things in a hall.
#pragma once

#include <deque>

#include "paint/figure.h"

namespace headlight {

class Laser {
  public:
    bool is_on() const { return is_on_; }
    void turn() { is_on_ = !is_on_, trail_.clear(); }

    /// Over everything, in the frame's own time. Returns true while the trail fades: draw again.
    bool draw();

  private:
    struct Place {
        Point at;
        double when_secs = 0;
    };

    bool is_on_ = false;
    std::deque<Place> trail_;  // the newest last
};

}  // namespace headlight
