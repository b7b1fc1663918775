// Words on a line, arcs from the words that look to the words they read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paint/figure.h"
#include "paint/theme.h"

namespace headlight {

/// One row of one head's pattern.
struct ArcRow {
    Index query = 0;
    std::vector<Scalar> weights;  // one a word; missing ones, NaN and −∞ draw nothing
    Color color;
};

struct ArcsInput {
    std::vector<std::string> labels;
    std::vector<ArcRow> rows;  // several heads, several queries, or both
    std::optional<Index> hovered;
    float width = 400, height = 150;
};

struct ArcsFigure {
    Figure figure;
    std::vector<Box> places;  // of each word, side by side, the height of the line of words

    std::optional<Index> word_at(Point p) const;
};

/// Width and opacity of an arc are its weight, 0 to 1. While all words fit they are all written,
/// smaller or shortened if need be; otherwise ticks stand for them, and queries, the hovered and
/// the most-read words are written where there is room.
ArcsFigure arcs_figure(const ArcsInput& input, const Theme& theme, const MeasureText& measure);

}  // namespace headlight
