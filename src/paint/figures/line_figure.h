// Words side by side, joined where they read each other: one text on one line, two on two.
#pragma once

#include "paint/figures/word_lines.h"

namespace headlight {

/// As many lines as there are texts. With Detail::Full the weights of picked words stand at them.
WordLinesFigure line_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure);

/// Of one text: arcs join its words. While all words fit they are all written, smaller or shortened
/// if need be; otherwise ticks stand for them, and picked and the most-read words are written where
/// there is room. With Detail::Full an arc over the words reads back, one below them reads ahead;
/// with Small all arcs are above.
WordLinesFigure arcs_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure);

/// Of two: what is read above, the readers below. Words that do not fit are left out, picked ones
/// and the most-read ones last.
WordLinesFigure two_lines_figure(const WordLinesInput& input, const Theme& theme,
                                 const MeasureText& measure);

}  // namespace headlight
