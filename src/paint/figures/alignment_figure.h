// Two lines of words, the source above and the target below, joined where the target reads.
#pragma once

#include "paint/figures/word_lines.h"

namespace headlight {

/// The readers below, what they read above. Words that do not fit are left out, picked ones and
/// the most-read ones last. With Detail::Full the weights of picked words stand at the words.
WordLinesFigure alignment_figure(const WordLinesInput& input, const Theme& theme,
                                 const MeasureText& measure);

}  // namespace headlight
