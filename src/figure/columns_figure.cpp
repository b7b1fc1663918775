// Two columns of words: those that read at the left, joined to those that they read at the right.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "figure/labels.h"
#include "figure/number_format.h"
#include "figure/word_lines.h"

namespace headlight {
namespace {

constexpr float kColumnsPad = 10, kInset = 6;
constexpr float kHighestRow = 40, kLeastText = 9, kHeaderText = 11;
constexpr float kNumber = 40, kUsualNumber = 11, kHalfNumber = 11;  // width of a column of numbers
constexpr std::size_t kMostNumberColumns = 4;
constexpr float kMostWord = 170, kWordShare = 0.2f, kWordShareAlone = 0.3f, kMostGap = 620;
constexpr float kLeastForNumbers = 320;  // words and lines beside the numbers of several heads
constexpr float kApart = 3.5f;           // lines of different heads between the same words
constexpr Color kNone{0, 0, 0, 0};

/// The heights of the rows, and the share of them that the text takes.
struct RowSizes {
    float header, lowest, text_share, most_text, most_number;
};
constexpr RowSizes kApartRows{38, 14, 0.52f, 17, 11}, kCloseRows{24, 11, 0.8f, 20, 13};

/// The places of everything, from the left: numbers, readers, lines, read words, numbers.
struct WordColumns {
    float row = kApartRows.lowest, text = kLeastText;
    float word = 0;                     // room of a word
    float number = 0, number_text = 0;  // width of a column of numbers; their size
    float readers_right = 0, read_left = 0;
    std::size_t number_columns = 1;
};

class ColumnsPainter {
  public:
    ColumnsPainter(const WordLinesInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure) {}

    WordLinesFigure paint() {
        plan();
        place_words();
        add_backgrounds();
        for (const ReadLine& line : input_.lines.lines) add_line(line);
        add_headers();
        for (const std::size_t i : readers_) add_reader(i);
        for (const std::size_t j : read_) add_read(j);
        for (std::size_t c = 0; c < columns_.number_columns; ++c) add_numbers(c);
        for (const CutTexts* cut : {&headers_, &words_}) cut->tell(result_.figure);
        return std::move(result_);
    }

  private:
    std::size_t count() const { return std::max(input_.readers.size(), input_.read.size()); }

    float widest_word() const {
        float widest = 0;
        for (const auto* words : {&input_.readers, &input_.read})
            for (const std::string& word : *words)
                widest = std::max(widest, measure_(word, columns_.text, Font::Bold));
        return widest;
    }

    void plan() {
        const auto n = static_cast<float>(std::max<std::size_t>(1, count()));
        columns_.row =
            std::clamp((input_.height - rows_.header - kColumnsPad) / n, rows_.lowest, kHighestRow);
        columns_.row = std::min(columns_.row, (input_.tallest - rows_.header - kColumnsPad) / n);
        columns_.text = input_.label_size.value_or(
            std::clamp(columns_.row * rows_.text_share, kLeastText, rows_.most_text));
        readers_ = words_with_room(input_.readers.size(), input_.picked.readers);
        read_ = words_with_room(input_.read.size(), input_.picked.read);
        columns_.number_text = std::min(rows_.most_number, columns_.text);
        columns_.number = kNumber * std::max(1.0f, columns_.number_text / kUsualNumber);
        if (has_numbers_of_each_head(input_)) columns_.number_columns = heads_.size();
        float share = kWordShare;
        if (input_.label_size && input_.picked.is_empty()) {  // nothing is picked on paper later
            columns_.number_columns = 0;
            share = kWordShareAlone;
        }
        columns_.word = std::min({widest_word() + 1, kMostWord, share * input_.width});
        const float numbers = static_cast<float>(columns_.number_columns) * columns_.number;
        const float side = numbers + columns_.word + kColumnsPad + 2 * kInset;
        const float gap = std::clamp(input_.width - 2 * side, 20.0f, kMostGap);
        columns_.readers_right = (input_.width - gap) / 2;
        columns_.read_left = columns_.readers_right + gap;
        result_.figure.width = input_.width;
        result_.figure.height = rows_.header + n * columns_.row + kColumnsPad;
    }

    /// Returns the picked words, and as many of the others as have room below each other.
    std::vector<std::size_t> words_with_room(std::size_t count, const std::vector<Index>& picked) {
        const auto n = static_cast<Index>(count);
        constexpr float kRounding = 0.01f;
        const float line = std::min(rows_.lowest, columns_.text * kLineHeight) - kRounding;
        LabelRow row{n, columns_.row, line, {}};
        std::ranges::copy_if(picked, std::back_inserter(row.important),
                             [&](Index word) { return word < n; });
        const std::vector<Index> shown = chosen_labels(row);
        if (std::ssize(shown) < n) result_.figure.leave_out({"words", n - std::ssize(shown), n});
        return {shown.begin(), shown.end()};
    }

    float row_top(std::size_t row) const {
        return rows_.header + static_cast<float>(row) * columns_.row;
    }
    float row_middle(std::size_t row) const { return row_top(row) + columns_.row / 2; }

    bool is_visible(float from, float to) const {
        return std::max(from, to) >= input_.visible_top &&
               std::min(from, to) <= input_.visible_bottom;
    }
    bool is_visible(std::size_t row) const {
        return is_visible(row_top(row), row_top(row) + columns_.row);
    }

    void place_words() {
        const float width = columns_.word + 2 * kInset;
        for (std::size_t i = 0; i < input_.readers.size(); ++i)
            result_.readers.push_back(
                {columns_.readers_right - width, row_top(i), width, columns_.row});
        for (std::size_t j = 0; j < input_.read.size(); ++j)
            result_.read.push_back({columns_.read_left, row_top(j), width, columns_.row});
    }

    void add_backgrounds() {
        const auto add = [&](const std::vector<Index>& picked, const std::vector<Box>& places) {
            for (const Index word : picked) {
                if (word >= static_cast<Index>(places.size())) continue;
                const Box& box = places[static_cast<std::size_t>(word)];
                result_.figure.add(RectMark{box, theme_.accent_soft, kNone, 0, 4});
            }
        };
        add(input_.picked.readers, result_.readers);
        add(input_.picked.read, result_.read);
    }

    void add_line(const ReadLine& line) {
        const auto i = static_cast<std::size_t>(line.reader),
                   j = static_cast<std::size_t>(line.read);
        if (i >= input_.readers.size() || j >= input_.read.size()) return;
        if (!is_visible(row_middle(i), row_middle(j))) return;
        const LineStyle style = line_style(line, input_.heads[line.head].color, input_.lines);
        const Point from{columns_.readers_right + 3, row_middle(i) + head_shift(line.head)};
        const Point to{columns_.read_left - 3, row_middle(j) + head_shift(line.head)};
        const float bend = (to.x - from.x) * 0.4f;
        result_.figure.add(CurveMark{
            from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, style.color, style.width});
    }

    /// Returns the shift of a head's lines, so that heads run beside each other between the same
    /// words.
    float head_shift(std::size_t head) const {
        const auto n = static_cast<float>(input_.heads.size());
        const float apart = std::min(kApart, 0.6f * columns_.row / n);
        return (static_cast<float>(head) - (n - 1) / 2) * apart;
    }

    void add_headers() {
        if (!is_visible(0, rows_.header)) return;
        constexpr float y = 16;
        add_header({columns_.readers_right - kInset, y}, "query: it reads", Align::End);
        add_header({columns_.read_left + kInset, y}, "key: it is read", Align::Start);
    }

    /// Adds a header over its words, or from the edge on where these have less room.
    void add_header(Point at, const std::string& text, Align align) {
        TextMark mark{at, text, kHeaderText, theme_.muted, Font::Regular, align};
        float room = columns_.readers_right - kInset - kColumnsPad;
        if (measure_(text, mark.size, mark.font) > room) {
            const bool is_left = align == Align::End;
            mark.at.x = is_left ? kColumnsPad : input_.width - kColumnsPad;
            mark.align = is_left ? Align::Start : Align::End;
            room = input_.width / 2 - kColumnsPad - kInset;
        }
        headers_.shorten(mark, room, measure_);
        if (!mark.text.empty()) result_.figure.add(std::move(mark));
    }

    void add_word(TextMark mark) {
        mark.size = columns_.text;
        mark.at.y += columns_.text * kMiddleShift;
        words_.shorten(mark, columns_.word, measure_);
        if (!mark.text.empty()) result_.figure.add(std::move(mark));
    }

    void add_reader(std::size_t i) {
        if (!is_visible(i)) return;
        TextMark mark{{columns_.readers_right - kInset, row_middle(i)}, input_.readers[i]};
        mark.align = Align::End;
        style_word(mark, input_, static_cast<Index>(i), theme_);
        add_word(std::move(mark));
    }

    void add_read(std::size_t j) {
        if (!is_visible(j)) return;
        TextMark mark{{columns_.read_left + kInset, row_middle(j)}, input_.read[j]};
        style_read_word(mark, input_, static_cast<Index>(j), theme_);
        add_word(std::move(mark));
    }

    /// Adds the numbers of one head; only the largest if there are too many.
    void add_numbers(std::size_t column) {
        if (input_.detail == WordLinesInput::Detail::Small || input_.heads.empty()) return;
        const bool is_one_each = has_numbers_of_each_head(input_);
        const auto outgoing =
            is_one_each ? read_numbers(input_, heads_[column]) : most_read_numbers(input_);
        const auto incoming =
            is_one_each ? reader_numbers(input_, heads_[column]) : most_reader_numbers(input_);
        const float away =
            columns_.word + 2 * kInset + (static_cast<float>(column) + 1) * columns_.number;
        const float right = columns_.read_left + away,
                    left = columns_.readers_right - away + columns_.number - 8;
        if (columns_.number_columns > 1) {
            if (!outgoing.empty()) add_dot(right - kHalfNumber, heads_[column]);
            if (!incoming.empty()) add_dot(left - kHalfNumber, heads_[column]);
        }
        add_number_column(outgoing, right, read_);
        add_number_column(incoming, left, readers_);
    }

    void add_dot(float x, std::size_t head) {
        result_.figure.add(CircleMark{{x, rows_.header - 8}, 4, input_.heads[head].dot});
    }

    void add_number_column(const std::vector<Scalar>& numbers, float right,
                           const std::vector<std::size_t>& words) {
        for (const std::size_t k : words) {
            if (k >= numbers.size() || !is_visible(k)) continue;
            const bool is_zero = std::abs(numbers[k]) < Scalar(0.005);
            result_.figure.add(
                TextMark{{right, row_middle(k) + columns_.number_text * kMiddleShift},
                         format_cell(numbers[k], 2),
                         columns_.number_text,
                         is_zero ? theme_.muted : theme_.text,
                         Font::Regular,
                         Align::End});
        }
    }

    const WordLinesInput& input_;
    const std::vector<std::size_t> heads_ = head_places(input_);
    const RowSizes& rows_ = input_.has_close_rows ? kCloseRows : kApartRows;
    const Theme& theme_;
    const MeasureText& measure_;
    WordColumns columns_;
    std::vector<std::size_t> readers_, read_;  // the words that have room
    CutTexts headers_{"headings"}, words_{"words"};
    WordLinesFigure result_;
};

}  // namespace

bool has_numbers_of_each_head(const WordLinesInput& input) {
    const std::size_t n = head_places(input).size();
    const float needed = kLeastForNumbers + 2 * kNumber * static_cast<float>(n);
    return n > 0 && n <= kMostNumberColumns && (n == 1 || input.width >= needed);
}

WordLinesFigure columns_figure(const WordLinesInput& input, const Theme& theme,
                               const MeasureText& measure) {
    return ColumnsPainter(input, theme, measure).paint();
}

}  // namespace headlight
