// A text, each word shaded by how much the chosen row reads it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paint/figure.h"
#include "paint/theme.h"

namespace headlight {

struct WordsInput {
    std::vector<std::string> words;
    std::vector<Scalar> weights;  // one a word; missing ones stay bare
    std::vector<Index> queries;   // the words that look
    std::optional<Index> hovered;
    ColorScale scale;
    float width = 240;
    float text_size = 13;
};

struct WordsFigure {
    Figure figure;            // as high as the wrapped text
    std::vector<Box> places;  // of each word

    std::optional<Index> word_at(Point p) const;
};

WordsFigure words_figure(const WordsInput& input, const Theme& theme, const MeasureText& measure);

}  // namespace headlight
