// Words side by side, joined where they read each other: one text on one line, two on two.
#pragma once

#include <cstddef>
#include <vector>

#include "paint/figure.h"
#include "paint/figures/word_lines.h"
#include "paint/labels.h"

namespace headlight {

/// Draws one line of words per text. With Detail::Full the weights of picked words are written at
/// them.
WordLinesFigure line_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure);

/// Draws the figure of one text: arcs join its words. While all words fit, all are written, smaller
/// or shortened if need be; otherwise ticks stand for them, and picked and most-read words are
/// written where there is room. With Detail::Full, an arc above the words reads backward and one
/// below reads forward; with Small, all arcs are above.
WordLinesFigure arcs_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure);

/// Draws the figure of two texts: the one that is read above, the one that reads below. Words that
/// do not fit are left out; picked and most-read words are left out last.
WordLinesFigure two_lines_figure(const WordLinesInput& input, const Theme& theme,
                                 const MeasureText& measure);

class LineTexts {
  public:
    struct Room {
        float left, right;  // texts at the ends are moved inside
        float gap;          // kept free at both sides of a text
    };
    LineTexts(Figure& figure, Room room, const MeasureText& measure)
        : figure_(figure), room_(room), measure_(measure) {}

    /// Adds a text around its x. Returns false, and adds nothing, where it has no room or no
    /// letters.
    bool add(TextMark mark);

  private:
    Figure& figure_;
    Room room_;
    const MeasureText& measure_;
    TakenSpans taken_;
};

/// Returns the mark of a word's weight, around that point.
TextMark weight_mark(Point at, Scalar weight, float size, const Theme& theme);

/// Returns the places of the values, the largest first.
std::vector<std::size_t> by_value(const std::vector<Scalar>& values);

}  // namespace headlight
