// Two lines of words, what is read above and the readers below, joined by curves.
#include <algorithm>
#include <limits>
#include <utility>

#include "paint/figures/line_figure.h"
#include "paint/figures/line_texts.h"
#include "paint/labels.h"

namespace headlight {
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

/// Words side by side over the whole width, in proportion to their lengths; smaller if need be.
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

    /// Picked words first, then those that are read most; of readers the first.
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

    /// By importance; a word without room is left out.
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

WordLinesFigure two_lines_figure(const WordLinesInput& input, const Theme& theme,
                                 const MeasureText& measure) {
    return TwoLinesPainter(input, theme, measure).paint();
}

}  // namespace headlight
