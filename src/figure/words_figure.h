// A text, each word shaded by how much the chosen row reads it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

struct WordsInput {
    std::vector<std::string> words;
    std::vector<Scalar> weights;  // one a word; missing ones stay bare
    std::vector<Index> queries;   // the words that look
    std::optional<Index> hovered;
    ColorScale scale;
    float width = 240;
    float text_size = 13;
    float seen_from = 0, seen_to = 1e9f;  // words above or below have places, but are not drawn
};

struct WordsFigure {
    Figure figure;            // as high as the wrapped text
    std::vector<Box> places;  // of each word

    std::optional<Index> word_at(Point p) const;
};

/// Returns the height of the wrapped text, drawn or not.
float words_height(const WordsInput& input, const MeasureText& measure);

WordsFigure words_figure(const WordsInput& input, const Theme& theme, const MeasureText& measure);

}  // namespace headlight
