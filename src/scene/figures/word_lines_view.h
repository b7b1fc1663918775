// What the pictures of lines between words show of the trace and the selection.
#pragma once

#include "paint/figure_look.h"
#include "paint/figures/word_lines.h"
#include "scene/scene.h"

namespace headlight {

/// True of a text, or of one that reads another; not of nodes and patches.
bool has_word_lines(const Trace& trace);

/// What was computed for the last picture, for a next one of the same patterns.
struct WordLinesMemory {
    std::vector<MatrixPtr> patterns, shown;  // as they are; without the keys that are left out
    std::vector<Index> left_out;
    LeftOutWeight left_out_weight = LeftOutWeight::Missing;
    std::optional<LineChoice> choice;
    ReadLines lines;
};

/// Of the heads that are shown. Nobody attends: no words. The size is the caller's.
WordLinesInput word_lines_input(const Scene& scene, WordLinesInput::Detail detail,
                                WordLinesMemory& memory);

/// The layout that is chosen.
WordLinesFigure word_lines_figure(const Scene& scene, const WordLinesInput& input,
                                  const MeasureText& measure);

/// What is said under the picture.
std::vector<std::string> word_lines_notes(const Scene& scene, const WordLinesInput& input);

/// The picture with its notes, for export.
Figure word_lines_picture(const Scene& scene, const PictureRoom& room, const MeasureText& measure);

}  // namespace headlight
