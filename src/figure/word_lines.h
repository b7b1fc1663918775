// The pictures with words, and lines from those that read to those that are read: two columns, one
// line with arcs, and two lines; and their shared parts.
//
// Goals: one input for all of them; exact weights as numbers at the words that are picked.
// Not goals: the places of the words (each picture's own source), the pointer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/pattern_rows.h"
#include "figure/figure.h"
#include "figure/labels.h"
#include "figure/read_lines.h"
#include "figure/theme.h"

namespace headlight {

struct WordLinesInput {
    std::vector<std::string> readers, read;            // words
    enum class Texts { One, Two } texts = Texts::One;  // One: `read` are the words of `readers`
    std::vector<LinesOfHead> heads;
    std::string attention;  // "Layer 1": that of the heads, if there are several; else ""
    ReadLines lines;        // of the heads shown
    PickedWords picked;
    RowsAs rows_as = RowsAs::Sum;   // the way to combine the numbers of several picked words
    std::vector<Index> left_out;    // words of `read` that are left out and drawn faintly
    std::string number = "weight";  // the noun for the numbers of picked words
    enum class Detail { Small, Full } detail = Detail::Full;  // Small: no numbers, arcs above only
    bool has_close_rows = false;      // low ones with large words, to be read from far away
    std::optional<float> label_size;  // of words; absent: as there is room
    float width = 400, height = 150;
    float tallest = 1e6f;  // of two columns: in less than their words need, some words are left out
    float visible_top = 0, visible_bottom = 1e6f;  // marks outside may be missing
};

struct WordLinesFigure {
    Figure figure;
    std::vector<Box> readers, read;  // places of the words

    std::optional<Index> reader_at(Point p) const;
    std::optional<Index> read_at(Point p) const;
};

/// Returns the places in `heads` at which a head begins: a difference of heads has two parts there.
std::vector<std::size_t> head_places(const WordLinesInput& input);

/// Return, for the head that begins at that place, how much the picked words read from each word,
/// and how much each word reads from them. Those of a difference have its sign.
std::vector<Scalar> read_numbers(const WordLinesInput& input, std::size_t head);
std::vector<Scalar> reader_numbers(const WordLinesInput& input, std::size_t head);

/// Return the largest number over the heads, by absolute value.
/// Empty where no word of that side is picked.
std::vector<Scalar> most_read_numbers(const WordLinesInput& input);
std::vector<Scalar> most_reader_numbers(const WordLinesInput& input);

/// Style a word: picked ones are bold and in their colour, left-out ones pale.
void style_word(TextMark& mark, const WordLinesInput& input, Index reader, const Theme& theme);
void style_read_word(TextMark& mark, const WordLinesInput& input, Index read, const Theme& theme);

/// Writes "without “The”: rows sum to 1 again".
std::string left_out_note(const WordLinesInput& input, LeftOutWeight weight);
/// Writes "lines, faint to strong: 0 to 0.3", where these are not 0 to 1; else "".
std::string line_range_note(const ReadLines& lines);
/// Returns notes on the picture: the number of its lines, the meaning of thick and thin lines, and
/// that of the numbers.
std::vector<std::string> line_notes(const WordLinesInput& input);

/// Draws notes side by side, on as many lines as they need.
Figure notes_figure(const std::vector<std::string>& notes, float width, const Theme& theme,
                    const MeasureText& measure);

/// Draws the dot of each head, where there are several; without height for one.
Figure heads_legend(const WordLinesInput& input, float width, const Theme& theme,
                    const MeasureText& measure);

/// True if the weights of every head stand beside two columns; else, with several heads, only their
/// largest weight does. It depends on the heads and the width.
bool has_numbers_of_each_head(const WordLinesInput& input);

/// Draws two columns: readers at the left, the words that are read at the right. As high as it
/// needs to be, which may be more than `input.height`; shorter only while the words stay legible,
/// or where they need more than `input.tallest`.
WordLinesFigure columns_figure(const WordLinesInput& input, const Theme& theme,
                               const MeasureText& measure);

/// Draws one line of words per text. With Detail::Full the weights of picked words are written at
/// them. Of two texts, the one that is read stands above, the one that reads below; words that do
/// not fit are left out, picked and most-read words last.
WordLinesFigure line_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure);

/// Draws the figure of one text: arcs join its words. While all words fit, all are written, smaller
/// or shortened if need be; otherwise ticks stand for them, and picked and most-read words are
/// written where there is room. With Detail::Full, an arc above the words reads backward and one
/// below reads forward; with Small, all arcs are above.
WordLinesFigure arcs_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure);

class LineTexts {
  public:
    struct Room {
        float left, right;  // texts at the ends are moved inside
        float gap;          // kept free at both sides of a text
    };
    LineTexts(Figure& figure, Room room, const MeasureText& measure)
        : figure_(figure), room_(room), measure_(measure) {}

    /// Adds a text around its x. Returns false, and adds nothing, where it has no room or no
    /// letters.
    bool add(TextMark mark);

  private:
    Figure& figure_;
    Room room_;
    const MeasureText& measure_;
    TakenSpans taken_;
};

/// Returns the mark of a word's weight, around that point.
TextMark weight_mark(Point at, Scalar weight, float size, const Theme& theme);

/// Returns the places of the values, the largest first.
std::vector<std::size_t> by_value(const std::vector<Scalar>& values);

}  // namespace headlight
