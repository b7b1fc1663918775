// KeyboardFocus: the thing in the window that the keyboard is at.
//
// Goals: everything that has a name in Regions is reached with Tab and done with Enter, as a click
// of the mouse would do it; where the keyboard is can be seen.
// Not goals: keys of their own (commands, the held cell, text fields).
#pragma once

#include <string>
#include <vector>

#include "ui/input/input_event.h"
#include "ui/panel.h"

namespace headlight {

/// The names of things that a click does something to, as one reads them: part by part of the
/// window, line by line, from left to right. While something lies over the window: what is in it
/// alone.
std::vector<std::string> reading_order(const Regions& regions);

class KeyboardFocus {
  public:
    struct Window {
        bool has_popup = false;  // one that takes no part here has keys of its own
        float zoom = 1;          // of the content: events are in points of the window
    };
    /// Once a frame, after everything was drawn. What Enter does to the thing, as events.
    std::vector<InputEvent> draw(PanelContext& context, const Window& window);

    /// In a window that scrolls: so that the thing is inside of it, if it is one of its own.
    void scroll_to(const Regions& regions) const;

    const std::string& name() const { return name_; }

  private:
    enum class Unit { Thing, Part };
    enum class Direction { Forward, Back };
    void move(const Regions& regions);
    void step(const Regions& regions, Unit unit, Direction direction);

    std::string name_;        // empty: nothing
    std::string returns_to_;  // when the list is closed
    bool has_moved_ = false;
    bool clicks_ = false;  // the next click is its own
};

}  // namespace headlight
