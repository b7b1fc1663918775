// Words on a line, arcs from the words that look to the words they read.
#pragma once

#include "paint/figures/word_lines.h"

namespace headlight {

/// Of one text. While all words fit they are all written, smaller or shortened if need be;
/// otherwise ticks stand for them, and picked and the most-read words are written where there is
/// room. With Detail::Full an arc over the words reads back, one below them reads ahead, and the
/// weights of picked words stand under the words; with Small all arcs are above.
WordLinesFigure arcs_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure);

}  // namespace headlight
