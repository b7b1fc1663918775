// Words on a line, with arcs from the words that read to the words that are read.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "figure/labels.h"
#include "figure/word_lines.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr float kArcsPad = 8;
constexpr float kLargestWord = 13, kSmallestSize = 8.5f, kArcNumberSize = 9.5f;
constexpr std::size_t kMostWords = 80;
constexpr float kWidestGap = 26;
constexpr float kBand = 22, kNumberBand = 14,
                kUprightNumberBand = 28;  // line of words under the arcs, of numbers under it
constexpr std::size_t kStrongestNamed = 8;

struct LineOfWords {
    float size = kLargestWord;
    float limit = 0;  // longest word
    bool all_words = false, are_upright = false;
    float band = kBand, number_band = kNumberBand;  // heights
    std::vector<float> widths;
};

/// Returns the width to which every word is cut so that the sum of all fits into `room`; 0 if too
/// small.
float fitting_limit(std::vector<float> widths, float room) {
    std::sort(widths.begin(), widths.end());
    float used = 0;
    for (std::size_t k = 0; k < widths.size(); ++k) {
        const float even = (room - used) / static_cast<float>(widths.size() - k);
        if (even < widths[k]) return even;
        used += widths[k];
    }
    return room;
}

/// Turns words upright if a given size has no room for them beside each other.
void stand_up(LineOfWords& line, const WordLinesInput& input) {
    constexpr float kMostOfHeight = 0.3f;
    const float pitch = (input.width - 2 * kArcsPad) /
                        static_cast<float>(std::max<std::size_t>(1, line.widths.size()));
    if (pitch < line.size * kLineHeight) return;
    line.all_words = line.are_upright = true;
    line.limit = std::min(*std::max_element(line.widths.begin(), line.widths.end()),
                          kMostOfHeight * input.height);
    line.band = line.limit + 8;
    line.number_band = kUprightNumberBand;
    std::fill(line.widths.begin(), line.widths.end(), std::min(pitch, line.size * 2));
}

/// Fits the words: in full size, then smaller, then shortened, then as ticks; in a given size
/// upright, then as ticks.
LineOfWords fit_words(const WordLinesInput& input, const MeasureText& measure) {
    LineOfWords line;
    const std::size_t count = input.readers.size();
    if (count > kMostWords && !input.label_size) return line;
    const float largest = input.label_size.value_or(kLargestWord);
    const float smallest = input.label_size.value_or(kSmallestSize);
    for (float size = largest; size >= smallest; size -= 0.75f) {
        line.size = size;
        line.widths.clear();
        for (const auto& word : input.readers)
            line.widths.push_back(measure(word, size, Font::Bold));
        const float gap = 0.45f * size;
        const float room = input.width - 2 * kArcsPad - gap * static_cast<float>(count);
        line.limit = fitting_limit(line.widths, room);
        const float widest = *std::max_element(line.widths.begin(), line.widths.end());
        const bool may_shorten = size <= smallest + 0.75f && !input.label_size;
        line.all_words = line.limit >= std::min(widest, may_shorten ? 18 : widest);
        if (line.all_words) break;
    }
    if (input.label_size && !line.all_words) stand_up(line, input);
    if (line.are_upright) return line;
    for (float& width : line.widths) width = std::min(width, line.limit);
    return line;
}

/// Places boxes side by side and shares the remaining width between the words: in a window up to a
/// limit, on paper all of it.
std::vector<Box> word_places(const WordLinesInput& input, const LineOfWords& line, float y) {
    const auto count = static_cast<float>(input.readers.size());
    const float room = input.width - 2 * kArcsPad;
    const float used = std::accumulate(line.widths.begin(), line.widths.end(), 0.0f);
    const float widest = input.label_size ? room : kWidestGap;
    const float gap = line.all_words ? std::min(widest, (room - used) / count) : 0;
    float x = line.all_words ? (input.width - used - gap * count) / 2 : kArcsPad;
    std::vector<Box> places;
    for (std::size_t k = 0; k < input.readers.size(); ++k) {
        const float width = line.all_words ? line.widths[k] + gap : room / count;
        places.push_back({x, y, width, line.band});
        x += width;
    }
    return places;
}

class ArcsPainter {
  public:
    ArcsPainter(const WordLinesInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure) {
        result_.figure.width = input.width;
        result_.figure.height = input.height;
    }

    WordLinesFigure paint() {
        if (input_.readers.empty()) return std::move(result_);
        line_ = fit_words(input_, measure_);
        if (is_full()) numbers_ = most_read_numbers(input_);
        places_ = word_places(input_, line_, top_of_words());
        add_arcs();
        if (!line_.all_words) add_ticks();
        line_.all_words ? add_all_words() : add_chosen_words();
        add_numbers();
        result_.readers = result_.read = std::move(places_);
        return std::move(result_);
    }

  private:
    Index count() const { return static_cast<Index>(input_.readers.size()); }
    bool is_full() const { return input_.detail == WordLinesInput::Detail::Full; }
    const Box& place(Index k) const { return places_[static_cast<std::size_t>(k)]; }

    /// Returns the top of the words. There are arcs on both sides only if a word reads ahead.
    float top_of_words() const {
        const float below = is_full() ? line_.band + line_.number_band : line_.band;
        const auto& lines = input_.lines.lines;
        const bool has_ahead = std::any_of(lines.begin(), lines.end(), [](const ReadLine& line) {
            return line.read > line.reader;
        });
        return is_full() && has_ahead ? (input_.height - below) / 2 : input_.height - below;
    }

    void add_arcs() {
        float longest = 1;
        for (const ReadLine& line : input_.lines.lines)
            if (is_inside(line)) longest = std::max(longest, span(line));
        for (const ReadLine& line : input_.lines.lines)
            if (is_inside(line)) add_arc(line, longest);
    }

    bool is_inside(const ReadLine& line) const {
        return line.reader < count() && line.read < count();
    }

    float span(const ReadLine& line) const {
        return std::abs(place(line.reader).center().x - place(line.read).center().x);
    }

    void add_arc(const ReadLine& line, float longest) {
        const LineStyle style = line_style(line, input_.heads[line.head].color, input_.lines);
        const bool is_below = is_full() && line.read > line.reader;
        const float up = is_below ? -1.0f : 1.0f, top = place(0).y;
        const float ground =
            is_below ? top + line_.band + (numbers_.empty() ? 0 : line_.number_band) : top - 2;
        const float room =
            (is_below ? input_.height - ground : ground) - kArcsPad - style.width / 2;
        const float from = place(line.reader).center().x, to = place(line.read).center().x;
        const float reach = std::pow(span(line) / longest, 0.75f);
        // Lines of several heads between the same words keep apart a little.
        const auto others = static_cast<float>(std::max<std::size_t>(2, input_.heads.size()) - 1);
        const float share = 1 - 0.16f * static_cast<float>(line.head) / others;
        const float rise = std::max(std::min(16.0f, room), room * reach) * share;
        const float lift = up * rise * 4 / 3;  // a cubic reaches 3/4 of its controls' height
        float lean = 0.12f * (to - from);
        if (line.reader == line.read) lean = -std::min(11.0f, place(line.read).width * 0.6f);
        result_.figure.add(CurveMark{{from, ground},
                                     {from + lean, ground - lift},
                                     {to - lean, ground - lift},
                                     {to, ground},
                                     style.color,
                                     style.width});
    }

    void add_ticks() {
        const float top = place(0).y, right = places_.back().right();
        result_.figure.add(LineMark{{kArcsPad, top}, {right, top}, theme_.border, 1});
        if (place(0).width < 2) return;
        for (const Box& box : places_)
            result_.figure.add(
                LineMark{{box.center().x, top}, {box.center().x, top + 3}, theme_.wire, 0.75f});
    }

    TextMark word(Index k, float size) const {
        TextMark mark{{place(k).center().x, place(k).bottom() - 7},
                      input_.readers[static_cast<std::size_t>(k)],
                      size};
        mark.align = Align::Middle;
        style_read_word(mark, input_, k, theme_);
        if (is_among(k, input_.picked.readers)) style_word(mark, input_, k, theme_);
        return mark;
    }

    void add_all_words() {
        for (Index k = 0; k < count(); ++k) {
            TextMark mark = word(k, line_.size);
            if (line_.are_upright) turn(mark, place(k));
            const float limit =
                line_.are_upright ? line_.limit : line_.widths[static_cast<std::size_t>(k)];
            shorten(mark, limit + 0.5f, measure_);
            if (!mark.text.empty()) result_.figure.add(std::move(mark));
        }
    }

    static void turn(TextMark& mark, const Box& place) {
        mark.at = {place.center().x + mark.size * kMiddleShift, place.y + 4};
        mark.align = Align::End;
        mark.angle_deg = -90;
    }

    /// Adds picked words, the most-read ones, then every k-th that still has room.
    void add_chosen_words() {
        LineTexts texts(result_.figure, room(4), measure_);
        Index n = 0;
        for (const Index k : words_by_interest()) {
            TextMark mark = word(k, input_.label_size.value_or(11));
            shorten(mark, std::min(90.0f, input_.width - 2 * kArcsPad), measure_);
            if (texts.add(std::move(mark))) ++n;
        }
        result_.figure.leave_out({"words", count() - n, count()});
    }

    LineTexts::Room room(float gap) const { return {kArcsPad, input_.width - kArcsPad, gap}; }

    std::vector<Index> words_by_interest() const {
        std::vector<Index> words;
        for (const auto* picked : {&input_.picked.readers, &input_.picked.read})
            for (const Index k : *picked)
                if (k < count()) words.push_back(k);
        std::vector<std::size_t> read = most_read();
        read.resize(std::min(kStrongestNamed, read.size()));
        for (const std::size_t k : read) words.push_back(static_cast<Index>(k));
        const LabelRow regular{count(), place(0).width, 60, {}};
        for (const Index k : chosen_labels(regular)) words.push_back(k);
        return words;
    }

    /// Returns all words, ordered by their strongest line.
    std::vector<std::size_t> most_read() const {
        std::vector<Scalar> weight(input_.readers.size());
        const std::vector<ReadLine>& lines = input_.lines.lines;
        const LineRole strongest = lines.empty() ? LineRole::Background : lines.back().role;
        for (const ReadLine& line : lines)
            if (is_inside(line) && line.role >= strongest) {
                Scalar& most = weight[static_cast<std::size_t>(line.read)];
                most = std::max(most, static_cast<Scalar>(line.weight));
            }
        return by_value(weight);
    }

    /// Adds the numbers under the words, the largest first where not all have room.
    void add_numbers() {
        LineTexts texts(result_.figure, room(2), measure_);
        for (const std::size_t k : by_value(numbers_)) {
            if (k >= places_.size()) continue;
            const Box& box = places_[k];
            const Point at{box.center().x, box.bottom() + kArcNumberSize - 4};
            TextMark number = weight_mark(at, numbers_[k], kArcNumberSize, theme_);
            if (!line_.are_upright) {
                texts.add(std::move(number));
                continue;
            }
            turn(number, {box.x, box.bottom() - 4, box.width, 0});
            result_.figure.add(std::move(number));
        }
    }

    const WordLinesInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    LineOfWords line_;
    std::vector<Box> places_;
    std::vector<Scalar> numbers_;
    WordLinesFigure result_;
};

}  // namespace

WordLinesFigure arcs_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure) {
    return ArcsPainter(input, theme, measure).paint();
}

}  // namespace headlight
