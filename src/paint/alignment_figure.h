// Two lines of words, the source above and the target below, joined where the target reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paint/figure.h"
#include "paint/theme.h"

namespace headlight {

struct AlignmentInput {
    std::vector<std::string> source, target;
    MatrixPtr pattern;             // target × source
    std::optional<Index> query;    // the target word that is looked at: its curves stand out
    std::optional<Index> hovered;  // a source word
    Color color;                   // of the head
    float width = 400, height = 150;
};

struct AlignmentFigure {
    Figure figure;
    std::vector<Box> sources, targets;  // places of the words

    std::optional<Index> source_at(Point p) const;
    std::optional<Index> target_at(Point p) const;
};

/// Width and opacity of a curve are its weight, 0 to 1; curves thinner than a hair are left out.
/// Words that do not fit are left out, the chosen one and the most-read ones last.
AlignmentFigure alignment_figure(const AlignmentInput& input, const Theme& theme,
                                 const MeasureText& measure);

}  // namespace headlight
