// The places of the window's parts, and which of them are folded away in a small window.
#pragma once

#include <memory>

#include "figure/figure.h"
#include "model/document.h"

namespace headlight {

/// The content below the middle.
enum class Below { Heads, Explanation, Nothing };

/// A part that has no place of its own is opened over the middle, as a drawer.
enum class Drawer { None, Left, Right, Bottom };

struct Folded {
    bool left = false, right = false, bottom = false;

    bool any() const { return left || right || bottom; }
    bool has(Drawer part) const {
        return (part == Drawer::Left && left) || (part == Drawer::Right && right) ||
               (part == Drawer::Bottom && bottom);
    }
};

struct Places {
    Box top, left, right, middle, bottom;  // a folded part has the place of its drawer
    Box tabs;                              // the row of tabs, if there is one
    bool tabs_lie_over = false;            // the row has no room of its own yet
    Folded folded;
    float least_main = 0;  // the area that the large picture must keep, in square points
};

/// Places the parts. The middle has at least half of the window. Where the columns would leave it
/// less, they fold one after another, until the large picture itself has room for half of the
/// window.
Places place_parts(Point size, Below below);

/// The room that a strip takes from what is beside it. It changes only while the pointer is on
/// nothing that would move; until then the strip lies over it, or leaves its place empty.
class StableHeight {
  public:
    float follow(float wanted, const Box& what_moves);
    void take(float wanted) { taken_ = wanted; }

  private:
    float taken_ = 0;
};

/// The row of tabs under the top bar, which takes its height from everything below; nothing folds
/// when a second study is opened. Where the row comes with another study, nothing is pointed at any
/// more, and it has its room at once; a copy of the study leaves everything in its place.
class TabRow {
  public:
    enum class Has { No, Yes };
    Places place(Places places, Has tabs, std::shared_ptr<const Document> shown);

  private:
    StableHeight room_;
    bool had_tabs_ = false;
    std::shared_ptr<const Document> shown_;
};

}  // namespace headlight
