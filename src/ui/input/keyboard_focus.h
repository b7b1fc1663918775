// KeyboardFocus: the thing in the window that has the keyboard focus.
//
// Goals: everything that has a name in Regions can be reached with Tab and activated with Enter, as
// with a click; the focus is visible.
// Not goals: keys of their own (commands, the held cell, text fields).
#pragma once

#include <string>
#include <vector>

#include "ui/input/input_event.h"
#include "ui/panel.h"

namespace headlight {

/// Returns the names of clickable things in reading order: region by region of the window, line by
/// line, from left to right. While a popup is open, these are only its things.
std::vector<std::string> reading_order(const Regions& regions);

/// The step leads to the nearest thing in the line below or above, and from the last line round to
/// the first. The name is "" if no thing has the given one.
enum class LineStep { Up, Down };
std::string name_above_or_below(const Regions& regions, const std::string& name, LineStep step);

class KeyboardFocus {
  public:
    struct Window {
        bool has_popup = false;  // one that takes no part here has keys of its own
        float zoom = 1;          // zoom of the content; events are in points of the window
    };
    /// Called once a frame, after everything was drawn. Returns what Enter does to the thing, as
    /// events.
    std::vector<InputEvent> draw(PanelContext& context, const Window& window);

    /// Scrolls the current ImGui window so that the focused thing is visible, if it is in it.
    void scroll_to(const Regions& regions) const;

    const std::string& name() const { return name_; }
    void give_up() { name_.clear(); }

  private:
    enum class Unit { Thing, Part };
    enum class Direction { Forward, Back };
    bool move_in_list(const Regions& regions);
    void move(const Regions& regions);
    void step(const Regions& regions, Unit unit, Direction direction);

    std::string name_;        // empty: nothing
    std::string returns_to_;  // the thing that has the focus again when the list is closed
    bool has_moved_ = false;
    bool clicks_ = false;  // the next click is its own
};

}  // namespace headlight
