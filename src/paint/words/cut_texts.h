// Texts of one kind in a figure, and how many of them are cut to their room.
#pragma once

#include "paint/figure.h"

namespace headlight {

/// What is cut is told with the figure, as what is left out.
class CutTexts {
  public:
    /// `what`: "titles", of which some are not whole.
    explicit CutTexts(const char* what) : what_(what) {}

    /// Shortens the mark if it is wider than its room, and counts it.
    void shorten(TextMark& mark, float max_width, const MeasureText& measure);
    /// A text that was made elsewhere.
    void count(bool is_cut) { ++of_, n_ += is_cut ? 1 : 0; }
    /// Tells the figure, once all of them are drawn.
    void tell(Figure& figure) const { figure.leave_out({what_, n_, of_, true}); }

  private:
    const char* what_;
    Index n_ = 0, of_ = 0;
};

}  // namespace headlight
