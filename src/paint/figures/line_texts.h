// Texts on a line of words: each in the middle of its place, as many as have room.
#pragma once

#include <cstddef>
#include <vector>

#include "paint/figure.h"
#include "paint/figures/word_lines.h"
#include "paint/labels.h"

namespace headlight {

class LineTexts {
  public:
    struct Room {
        float left, right;  // texts at the ends are moved inside
        float gap;          // kept free at both sides of a text
    };
    LineTexts(Figure& figure, Room room, const MeasureText& measure)
        : figure_(figure), room_(room), measure_(measure) {}

    /// Around its x. False, and nothing is added, where it has no room or no letters.
    bool add(TextMark mark);

  private:
    Figure& figure_;
    Room room_;
    const MeasureText& measure_;
    TakenSpans taken_;
};

/// The weight of a word, around that point.
TextMark weight_mark(Point at, Scalar weight, float size, const Theme& theme);

/// The places of the values, the largest first.
std::vector<std::size_t> by_value(const std::vector<Scalar>& values);

}  // namespace headlight
