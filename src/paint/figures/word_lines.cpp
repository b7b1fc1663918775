#include "paint/figures/word_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "paint/labels.h"
#include "paint/number_format.h"
#include "text/quoted_word.h"

namespace headlight {
namespace {

constexpr float kNoteSize = 11, kNoteLine = 16, kNotePad = 4;
constexpr std::size_t kMostNames = 3;

std::optional<Index> index_at(const std::vector<Box>& boxes, Point p) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].contains(p)) return static_cast<Index>(i);
    return std::nullopt;
}

std::string join_names(const std::vector<std::string>& words, const std::vector<Index>& items) {
    std::string names;
    for (std::size_t k = 0; k < items.size() && k < kMostNames; ++k)
        names += (k > 0 ? ", " : "") + quoted_word(words.at(static_cast<std::size_t>(items[k])));
    if (items.size() > kMostNames)
        names += " and " + std::to_string(items.size() - kMostNames) + " more";
    return names;
}

std::vector<Scalar> with_sign(const LinesOfHead& head, std::vector<Scalar> numbers) {
    if (head.sign < 0)
        for (Scalar& number : numbers) number = 0 - number;  // 0 keeps its sign
    return numbers;
}

template <class NumbersOfHead>
std::vector<Scalar> most_of_heads(const WordLinesInput& input, const NumbersOfHead& head_numbers) {
    std::vector<Scalar> most;
    for (std::size_t h = 0; h < input.heads.size(); ++h) {
        std::vector<Scalar> numbers = head_numbers(input, h);
        const bool has_two_parts = h + 1 < input.heads.size() && input.heads[h + 1].sign < 0;
        const std::vector<Scalar> below =
            has_two_parts ? head_numbers(input, ++h) : std::vector<Scalar>{};
        for (std::size_t k = 0; k < std::min(numbers.size(), below.size()); ++k)
            numbers[k] += below[k];
        if (most.size() < numbers.size()) most.resize(numbers.size(), 0);
        for (std::size_t k = 0; k < numbers.size(); ++k)
            if (std::abs(numbers[k]) > std::abs(most[k])) most[k] = numbers[k];
    }
    return most;
}

/// "all 144 lines", "36 of 144 lines, the strongest"
std::string count_note(const ReadLines& lines) {
    const auto n = static_cast<Index>(lines.lines.size());
    if (n == lines.n_all) return "all " + format_count(n) + " lines";
    return format_count(n) + " of " + format_count(lines.n_all) + " lines, the strongest";
}

std::string number_note(const WordLinesInput& input) {
    const bool is_several = input.picked.readers.size() > 1;
    const std::string what =
        is_several ? input.rows_as == RowsAs::Sum ? "sum" : "mean" : input.number;
    std::string note = "numbers: " + what;
    if (is_several) note += " of " + join_names(input.readers, input.picked.readers);
    return note;
}

}  // namespace

std::optional<Index> WordLinesFigure::reader_at(Point p) const {
    return index_at(readers, p);
}
std::optional<Index> WordLinesFigure::read_at(Point p) const {
    return index_at(read, p);
}

std::vector<Scalar> read_numbers(const WordLinesInput& input, std::size_t head) {
    const MatrixPtr& pattern = input.heads[head].pattern;
    if (!pattern || input.picked.readers.empty()) return {};
    return with_sign(input.heads[head], joined_rows(*pattern, input.picked.readers, input.rows_as));
}

std::vector<Scalar> reader_numbers(const WordLinesInput& input, std::size_t head) {
    const MatrixPtr& pattern = input.heads[head].pattern;
    if (!pattern || input.picked.read.empty()) return {};
    return with_sign(input.heads[head],
                     joined_rows(pattern->transpose(), input.picked.read, input.rows_as));
}

std::vector<Scalar> most_read_numbers(const WordLinesInput& input) {
    return most_of_heads(input, read_numbers);
}
std::vector<Scalar> most_reader_numbers(const WordLinesInput& input) {
    return most_of_heads(input, reader_numbers);
}

bool is_picked(const std::vector<Index>& picked, Index word) {
    return std::find(picked.begin(), picked.end(), word) != picked.end();
}

void style_word(TextMark& mark, const WordLinesInput& input, Index reader, const Theme& theme) {
    mark.color = theme.text;
    if (!is_picked(input.picked.readers, reader)) return;
    mark.font = Font::Bold;
    mark.color = theme.selection;
}

void style_read_word(TextMark& mark, const WordLinesInput& input, Index read, const Theme& theme) {
    mark.color = is_picked(input.left_out, read) ? theme.muted : theme.text;
    if (!is_picked(input.picked.read, read)) return;
    mark.font = Font::Bold;
    // A word in both roles looks the same in both.
    const bool is_reader =
        input.texts == WordLinesInput::Texts::One && is_picked(input.picked.readers, read);
    mark.color = is_reader ? theme.selection : theme.accent;
}

std::string left_out_note(const WordLinesInput& input, LeftOutWeight weight) {
    if (input.left_out.empty()) return "";
    return "without " + join_names(input.read, input.left_out) +
           (weight == LeftOutWeight::SharedOut ? ": rows sum to 1 again"
                                               : ": rows sum to less than 1");
}

std::string line_range_note(const ReadLines& lines) {
    if (lines.low == 0 && lines.high == 1) return "";
    return "lines, faint to strong: " + format_value(lines.low, 2) + " to " +
           format_value(lines.high, 2);
}

std::vector<std::string> line_notes(const WordLinesInput& input) {
    std::vector<std::string> notes{count_note(input.lines)};
    if (std::string range = line_range_note(input.lines); !range.empty())
        notes.push_back(std::move(range));
    const PickedWords& picked = input.picked;
    if (!picked.readers.empty())
        notes.push_back("thick: what " + join_names(input.readers, picked.readers) +
                        (picked.readers.size() > 1 ? " read" : " reads"));
    if (!picked.read.empty())
        notes.push_back("thin: who reads " + join_names(input.read, picked.read));
    if (!picked.is_empty() && input.detail == WordLinesInput::Detail::Full)
        notes.push_back(number_note(input));
    return notes;
}

Figure notes_figure(const std::vector<std::string>& notes, float width, const Theme& theme,
                    const MeasureText& measure) {
    constexpr const char* kBetween = "  ·  ";
    const auto measure_width = [&](const std::string& text) {
        return measure(text, kNoteSize, Font::Regular);
    };
    std::vector<std::string> lines;
    for (const std::string& note : notes) {
        if (note.empty()) continue;
        const bool fits = !lines.empty() && measure_width(lines.back() + kBetween + note) <= width;
        if (fits)
            lines.back() += kBetween + note;
        else
            lines.push_back(note);
    }
    Figure figure{width, static_cast<float>(lines.size()) * kNoteLine + kNotePad, {}};
    float y = kNoteLine - 4;
    for (const std::string& line : lines) {
        TextMark mark{{0, y}, line, kNoteSize, theme.muted};
        shorten(mark, width, measure);
        if (!mark.text.empty()) figure.add(std::move(mark));
        y += kNoteLine;
    }
    return figure;
}

Figure heads_legend(const WordLinesInput& input, float width, const Theme& theme,
                    const MeasureText& measure) {
    constexpr float kDot = 4, kText = 2 * kDot + 5, kApart = 14;
    Figure figure{width, 0, {}};
    if (input.heads.size() < 2) return figure;
    Point at{0, kNoteLine - 4};
    if (!input.attention.empty()) {
        TextMark whose{at, input.attention, kNoteSize, theme.text};
        shorten(whose, width, measure);
        at.x += measure(whose.text, kNoteSize, Font::Regular) + kApart;
        figure.add(std::move(whose));
    }
    for (const LinesOfHead& head : input.heads) {
        const std::string name = "head " + std::to_string(head.head);
        const float wide = kText + measure(name, kNoteSize, Font::Regular);
        if (at.x > 0 && at.x + wide > width) at = {0, at.y + kNoteLine};
        figure.add(CircleMark{{at.x + kDot, at.y - kNoteSize * kMiddleShift}, kDot, head.color});
        figure.add(TextMark{{at.x + kText, at.y}, name, kNoteSize, theme.text});
        at.x += wide + kApart;
    }
    figure.height = at.y + 4;
    return figure;
}

}  // namespace headlight
