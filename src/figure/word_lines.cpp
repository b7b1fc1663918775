// The shared parts of pictures with words, and lines from those that read to those that are read.
#include "figure/word_lines.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <utility>

#include "figure/labels.h"
#include "figure/number_format.h"
#include "text/strings.h"

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
    return joined_few(items, kMostNames, [&](Index item) {
        return quoted_word(words.at(static_cast<std::size_t>(item)));
    });
}

/// Returns the numbers of a head; of a difference those above 0 less those below it.
template <class NumbersOf>
std::vector<Scalar> numbers_of_head(const WordLinesInput& input, std::size_t head,
                                    const NumbersOf& numbers_of) {
    if (!input.heads[head].pattern) return {};
    std::vector<Scalar> numbers = numbers_of(*input.heads[head].pattern);
    const bool has_two_parts = head + 1 < input.heads.size() && input.heads[head + 1].is_below_zero;
    if (!has_two_parts) return numbers;
    const std::vector<Scalar> below = numbers_of(*input.heads[head + 1].pattern);
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] -= below[k];
    return numbers;
}

template <class NumbersOfHead>
std::vector<Scalar> most_of_heads(const WordLinesInput& input, const NumbersOfHead& head_numbers) {
    std::vector<Scalar> most;
    for (const std::size_t head : head_places(input)) {
        const std::vector<Scalar> numbers = head_numbers(input, head);
        if (most.size() < numbers.size()) most.resize(numbers.size(), 0);
        for (std::size_t k = 0; k < numbers.size(); ++k)
            if (std::abs(numbers[k]) > std::abs(most[k])) most[k] = numbers[k];
    }
    return most;
}

/// Writes "all 144 lines", "36 of 144 lines, the strongest".
std::string count_note(const ReadLines& lines) {
    const auto n = static_cast<Index>(lines.lines.size());
    if (n == lines.n_all) return fmt::format("all {} lines", format_count(n));
    return fmt::format("{} of {} lines, the strongest", format_count(n), format_count(lines.n_all));
}

std::string number_note(const WordLinesInput& input) {
    const bool is_several = input.picked.readers.size() > 1;
    const std::string what =
        is_several ? input.rows_as == RowsAs::Sum ? "sum" : "mean" : input.number;
    std::string note = "numbers: " + what;
    if (!is_several) return note;
    note += " of " + join_names(input.readers, input.picked.readers);
    if (!input.picked.read.empty())
        note +=
            ", beside readers " + input.number + " of " + join_names(input.read, input.picked.read);
    return note;
}

}  // namespace

std::optional<Index> WordLinesFigure::reader_at(Point p) const {
    return index_at(readers, p);
}
std::optional<Index> WordLinesFigure::read_at(Point p) const {
    return index_at(read, p);
}

std::vector<std::size_t> head_places(const WordLinesInput& input) {
    std::vector<std::size_t> places;
    for (std::size_t h = 0; h < input.heads.size(); ++h)
        if (!input.heads[h].is_below_zero) places.push_back(h);
    return places;
}

std::vector<Scalar> read_numbers(const WordLinesInput& input, std::size_t head) {
    if (input.picked.readers.empty()) return {};
    return numbers_of_head(input, head, [&](const Matrix& pattern) {
        return joined_rows(pattern, input.picked.readers, input.rows_as);
    });
}

std::vector<Scalar> reader_numbers(const WordLinesInput& input, std::size_t head) {
    if (input.picked.read.empty()) return {};
    return numbers_of_head(input, head, [&](const Matrix& pattern) {
        return joined_rows(pattern.transpose(), input.picked.read, input.rows_as);
    });
}

std::vector<Scalar> most_read_numbers(const WordLinesInput& input) {
    return most_of_heads(input, read_numbers);
}
std::vector<Scalar> most_reader_numbers(const WordLinesInput& input) {
    return most_of_heads(input, reader_numbers);
}

void style_word(TextMark& mark, const WordLinesInput& input, Index reader, const Theme& theme) {
    mark.color = theme.text;
    if (!is_among(reader, input.picked.readers)) return;
    mark.font = Font::Bold;
    mark.color = theme.selection;
}

void style_read_word(TextMark& mark, const WordLinesInput& input, Index read, const Theme& theme) {
    mark.color = is_among(read, input.left_out) ? theme.muted : theme.text;
    if (!is_among(read, input.picked.read)) return;
    mark.font = Font::Bold;
    // A word in both roles looks the same in both.
    const bool is_reader =
        input.texts == WordLinesInput::Texts::One && is_among(read, input.picked.readers);
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
    return fmt::format("lines, faint to strong: {} to {}", format_value(lines.low, 2),
                       format_value(lines.high, 2));
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
    const std::vector<std::size_t> places = head_places(input);
    if (places.size() < 2) return figure;
    Point at{0, kNoteLine - 4};
    if (!input.attention.empty()) {
        TextMark whose{at, input.attention, kNoteSize, theme.text};
        shorten(whose, width, measure);
        at.x += measure(whose.text, kNoteSize, Font::Regular) + kApart;
        figure.add(std::move(whose));
    }
    for (const std::size_t place : places) {
        const LinesOfHead& head = input.heads[place];
        const float wide = kText + measure(head.name, kNoteSize, Font::Regular);
        if (at.x > 0 && at.x + wide > width) at = {0, at.y + kNoteLine};
        figure.add(CircleMark{{at.x + kDot, at.y - kNoteSize * kMiddleShift}, kDot, head.dot});
        figure.add(TextMark{{at.x + kText, at.y}, head.name, kNoteSize, theme.text});
        at.x += wide + kApart;
    }
    figure.height = at.y + 4;
    return figure;
}

namespace {

constexpr float kText = 12, kMostText = 14, kSmallestText = 8, kLine = 22, kPad = 6, kLineGap = 8;
constexpr float kWeightSize = 10, kNumberLine = 14;

struct PlacedWords {
    std::vector<Box> places;
    float text_size = kText;
};

struct LinePlace {
    float y = 0, largest_text = kText, smallest_text = kSmallestText;
};

/// Places words side by side over the whole width, in proportion to their lengths; smaller if need
/// be.
PlacedWords place_words(const std::vector<std::string>& words, LinePlace place, float width,
                        const MeasureText& measure) {
    PlacedWords line{{}, place.largest_text};
    const auto natural = [&](float size) {
        float sum = 0;
        for (const std::string& word : words) sum += measure(word, size, Font::Bold) + kLineGap;
        return sum;
    };
    while (line.text_size > place.smallest_text && natural(line.text_size) > width - 2 * kPad)
        line.text_size -= 1;
    const float total = natural(line.text_size);
    const float stretch =
        std::max(0.0f, width - 2 * kPad - total) / static_cast<float>(words.size());
    const float squeeze = std::min(1.0f, (width - 2 * kPad) / std::max(total, 1.0f));
    float x = kPad;
    for (const std::string& word : words) {
        const float w = (measure(word, line.text_size, Font::Bold) + kLineGap) * squeeze + stretch;
        line.places.push_back({x, place.y, w, kLine});
        x += w;
    }
    return line;
}

class TwoLinesPainter {
  public:
    TwoLinesPainter(const WordLinesInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure) {
        result_.figure.width = input.width;
        result_.figure.height = input.height;
    }

    WordLinesFigure paint() {
        if (input_.readers.empty() || input_.read.empty()) return std::move(result_);
        const bool is_full = input_.detail == WordLinesInput::Detail::Full;
        const float edge = 2 + (is_full ? kNumberLine : 0);
        const float largest = input_.label_size.value_or(is_full ? kMostText : kText);
        const float smallest = input_.label_size.value_or(kSmallestText);
        read_ = place_words(input_.read, {edge, largest, smallest}, input_.width, measure_);
        readers_ = place_words(input_.readers, {input_.height - kLine - edge, largest, smallest},
                               input_.width, measure_);
        for (const ReadLine& line : input_.lines.lines) add_line(line);
        add_words(read_, input_.read, read_importance());
        add_words(readers_, input_.readers, reader_importance());
        if (is_full) {
            add_numbers(read_, most_read_numbers(input_), -3);
            add_numbers(readers_, most_reader_numbers(input_), kLine + kWeightSize - 1);
        }
        result_.read = std::move(read_.places);
        result_.readers = std::move(readers_.places);
        return std::move(result_);
    }

  private:
    void add_line(const ReadLine& line) {
        const auto i = static_cast<std::size_t>(line.reader),
                   j = static_cast<std::size_t>(line.read);
        if (i >= input_.readers.size() || j >= input_.read.size()) return;
        const LineStyle style = line_style(line, input_.heads[line.head].color, input_.lines);
        const Box &from = read_.places[j], &to = readers_.places[i];
        const Point a{from.center().x, from.bottom()}, b{to.center().x, to.y};
        const float bend = (b.y - a.y) / 2;
        result_.figure.add(
            CurveMark{a, {a.x, a.y + bend}, {b.x, b.y - bend}, b, style.color, style.width});
    }

    /// Ranks picked words first, then the most-read ones; of readers, the first words.
    std::vector<Scalar> read_importance() const {
        std::vector<Scalar> importance(input_.read.size(), 0);
        for (const ReadLine& line : input_.lines.lines)
            if (static_cast<std::size_t>(line.read) < importance.size())
                importance[static_cast<std::size_t>(line.read)] += static_cast<Scalar>(line.weight);
        raise(importance, input_.picked.read);
        return importance;
    }
    std::vector<Scalar> reader_importance() const {
        std::vector<Scalar> importance(input_.readers.size(), 0);
        raise(importance, input_.picked.readers);
        return importance;
    }
    static void raise(std::vector<Scalar>& importance, const std::vector<Index>& picked) {
        for (const Index word : picked)
            if (static_cast<std::size_t>(word) < importance.size())
                importance[static_cast<std::size_t>(word)] = std::numeric_limits<Scalar>::max();
    }

    /// Adds words by importance; a word without room is left out.
    void add_words(const PlacedWords& line, const std::vector<std::string>& words,
                   const std::vector<Scalar>& importance) {
        LineTexts texts(result_.figure, room(), measure_);
        Index n = 0;
        for (const std::size_t k : by_value(importance)) {
            TextMark mark{
                {line.places[k].center().x, line.places[k].center().y + line.text_size / 2 - 2},
                words[k],
                line.text_size};
            const auto word = static_cast<Index>(k);
            if (&line == &read_)
                style_read_word(mark, input_, word, theme_);
            else
                style_word(mark, input_, word, theme_);
            if (input_.label_size) shorten(mark, line.places[k].width - kLineGap / 2, measure_);
            if (texts.add(std::move(mark))) ++n;
        }
        const auto of = static_cast<Index>(words.size());
        if (input_.label_size) result_.figure.leave_out({"words", of - n, of});
    }

    void add_numbers(const PlacedWords& line, const std::vector<Scalar>& numbers, float below) {
        LineTexts texts(result_.figure, room(), measure_);
        for (const std::size_t k : by_value(numbers)) {
            if (k >= line.places.size()) continue;
            const Point at{line.places[k].center().x, line.places[k].y + below};
            texts.add(weight_mark(at, numbers[k], kWeightSize, theme_));
        }
    }

    LineTexts::Room room() const { return {0, input_.width, kLineGap / 4}; }

    const WordLinesInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    PlacedWords read_, readers_;
    WordLinesFigure result_;
};

}  // namespace

WordLinesFigure line_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure) {
    return input.texts == WordLinesInput::Texts::One
               ? arcs_figure(input, theme, measure)
               : TwoLinesPainter(input, theme, measure).paint();
}

bool LineTexts::add(TextMark mark) {
    if (mark.text.empty()) return false;
    const float half = measure_(mark.text, mark.size, mark.font) / 2;
    const float first = room_.left + half;
    mark.align = Align::Middle;
    mark.at.x = std::clamp(mark.at.x, first, std::max(first, room_.right - half));
    if (!taken_.take(mark.at.x - half - room_.gap, mark.at.x + half + room_.gap)) return false;
    figure_.add(std::move(mark));
    return true;
}

TextMark weight_mark(Point at, Scalar weight, float size, const Theme& theme) {
    constexpr auto kFaint = Scalar(0.005);  // it reads 0.00
    return {at,
            format_cell(weight, 2),
            size,
            std::abs(weight) < kFaint ? theme.muted : theme.text,
            Font::Regular,
            Align::Middle};
}

std::vector<std::size_t> by_value(const std::vector<Scalar>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(values[a]) > std::abs(values[b]);
    });
    return order;
}

}  // namespace headlight
