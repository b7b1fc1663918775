// Makes the input of the pictures with lines between words, from the trace and the selection.
#pragma once

#include "figure/figure_look.h"
#include "figure/word_lines.h"
#include "views/compared_sides.h"
#include "views/scene.h"

namespace headlight {

/// True of a text, or of one that reads another; not of nodes and patches.
bool has_word_lines(const Trace& trace);

/// Values computed for the last picture, reused for the same patterns.
struct WordLinesMemory {
    std::vector<MatrixPtr> patterns, shown;  // as computed; without the left-out keys
    std::vector<Index> left_out;
    LeftOutWeight left_out_weight = LeftOutWeight::Missing;
    std::optional<LineChoice> choice;
    ReadLines lines;
};

/// Makes the lines of the shown heads; no words if there is no attention. The caller sets the size.
WordLinesInput word_lines_input(const Scene& scene, WordLinesInput::Detail detail,
                                WordLinesMemory& memory);
/// Returns the notes under its picture, which has that width; none while there are no heads.
std::vector<std::string> word_lines_notes(const Scene& scene, const WordLinesInput& input);

/// Draws the lines in the layout that is chosen.
WordLinesFigure word_lines_figure(const Scene& scene, const WordLinesInput& input,
                                  const MeasureText& measure);

/// The values that are kept from one picture of all sides to the next.
struct WordLinesSidesMemory {
    WordLinesMemory a, b, difference;
};

/// One side of a comparison, or A, where nothing is compared.
struct WordLinesSide {
    ComparedSide side = ComparedSide::A;
    std::string title;  // "": nothing is compared
    WordLinesInput input;
    std::string problem;  // why there are no lines
};
/// In A − B, lines in the theme's positive colour are what A reads more, in its negative colour
/// what B reads more.
std::vector<WordLinesSide> word_lines_sides(const Scene& scene, WordLinesInput::Detail detail,
                                            WordLinesSidesMemory& memory);

/// Makes the words stand for the rows and the columns of the shown pattern. Scripts find them as
/// "NAME reader 3" and "NAME read 3", unless the name is empty.
void add_words(WordLinesFigure& lines, const Scene& scene, const std::string& name = "");

/// Draws the pictures with their notes, for export: the sides of a comparison beside each other,
/// where each has room.
struct WordLinesRoom {
    PictureRoom room;
    float tallest = WordLinesInput{}.tallest;  // of the whole picture
    bool has_close_rows = false;               // see WordLinesInput
};
Figure word_lines_picture(const Scene& scene, const WordLinesRoom& given,
                          const MeasureText& measure);
/// Draws the view in the look's room. From far away words are thinned before they are small.
Figure words_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
