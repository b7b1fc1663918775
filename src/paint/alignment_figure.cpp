#include "paint/alignment_figure.h"

#include <algorithm>
#include <numeric>

#include "paint/labels.h"

namespace headlight {
namespace {

constexpr float kText = 12, kSmallestText = 8, kLine = 22, kPad = 6, kGap = 8;
constexpr float kMostWidth = 6, kHair = 0.02f;

struct WordLine {
    std::vector<Box> places;
    float text_size = kText;
};

/// Words side by side over the whole width, in proportion to their lengths; smaller if need be.
WordLine place_words(const std::vector<std::string>& words, float y, float width,
                     const MeasureText& measure) {
    WordLine line;
    const auto natural = [&](float size) {
        float sum = 0;
        for (const std::string& word : words) sum += measure(word, size, Font::Bold) + kGap;
        return sum;
    };
    while (line.text_size > kSmallestText && natural(line.text_size) > width - 2 * kPad)
        line.text_size -= 1;
    const float total = natural(line.text_size);
    const float stretch =
        std::max(0.0f, width - 2 * kPad - total) / static_cast<float>(words.size());
    const float squeeze = std::min(1.0f, (width - 2 * kPad) / std::max(total, 1.0f));
    float x = kPad;
    for (const std::string& word : words) {
        const float w = (measure(word, line.text_size, Font::Bold) + kGap) * squeeze + stretch;
        line.places.push_back({x, y, w, kLine});
        x += w;
    }
    return line;
}

Color faded(Color color, float opacity) {
    color.a = static_cast<std::uint8_t>(255 * std::clamp(opacity, 0.0f, 1.0f));
    return color;
}

void add_curve(Figure& figure, Box from, Box to, Color color, float width) {
    const Point a{from.x + from.width / 2, from.y + from.height}, b{to.x + to.width / 2, to.y};
    const float bend = (b.y - a.y) / 2;
    figure.add(CurveMark{a, {a.x, a.y + bend}, {b.x, b.y - bend}, b, color, width});
}

/// Words of a line: the strong one first, then by importance; one without room is left out.
struct LineWords {
    const std::vector<std::string>& words;
    const WordLine& line;
    std::vector<Scalar> importance;  // one a word
    std::optional<Index> strong;
    Color strong_color;
};

void add_words(Figure& figure, const LineWords& input, const Theme& theme,
               const MeasureText& measure) {
    const auto is_strong = [&](std::size_t i) { return input.strong == static_cast<Index>(i); };
    std::vector<std::size_t> order(input.words.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(is_strong(a), input.importance[a]) >
               std::pair(is_strong(b), input.importance[b]);
    });
    TakenSpans taken;
    for (const std::size_t i : order) {
        const Font font = is_strong(i) ? Font::Bold : Font::Regular;
        const float size = input.line.text_size, width = measure(input.words[i], size, font);
        const Box& box = input.line.places[i];
        const float most = std::max(width / 2, figure.width - width / 2);
        const float x = std::clamp(box.center().x, width / 2, most);
        if (!taken.take(x - width / 2 - kGap / 4, x + width / 2 + kGap / 4)) continue;
        figure.add(TextMark{{x, box.y + kLine / 2 + size / 2 - 2},
                            input.words[i],
                            size,
                            is_strong(i) ? input.strong_color : theme.text,
                            font,
                            Align::Middle});
    }
}

/// How much each source word is read.
std::vector<Scalar> amounts_read(const AlignmentInput& input) {
    std::vector<Scalar> amounts(input.source.size(), 0);
    if (!input.pattern || input.pattern->cols() != static_cast<Index>(amounts.size()))
        return amounts;
    for (Index j = 0; j < input.pattern->cols(); ++j)
        amounts[static_cast<std::size_t>(j)] = input.pattern->col(j).sum();
    return amounts;
}

std::optional<Index> index_at(const std::vector<Box>& boxes, Point p) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].contains(p)) return static_cast<Index>(i);
    return std::nullopt;
}

}  // namespace

std::optional<Index> AlignmentFigure::source_at(Point p) const {
    return index_at(sources, p);
}
std::optional<Index> AlignmentFigure::target_at(Point p) const {
    return index_at(targets, p);
}

AlignmentFigure alignment_figure(const AlignmentInput& input, const Theme& theme,
                                 const MeasureText& measure) {
    AlignmentFigure result{{input.width, input.height, {}}, {}, {}};
    if (input.source.empty() || input.target.empty()) return result;
    const WordLine source = place_words(input.source, 2, input.width, measure);
    const WordLine target =
        place_words(input.target, input.height - kLine - 2, input.width, measure);
    const bool has_choice = input.query || input.hovered;
    for (const bool strong : {false, true})
        for (Index i = 0; input.pattern && i < input.pattern->rows(); ++i)
            for (Index j = 0; j < input.pattern->cols(); ++j) {
                const auto weight = static_cast<float>((*input.pattern)(i, j));
                const bool is_strong = input.query ? i == *input.query : j == input.hovered;
                if (!(weight > kHair) || is_strong != strong) continue;
                const float opacity =
                    is_strong || !has_choice ? 0.25f + 0.75f * weight : 0.12f + 0.2f * weight;
                add_curve(result.figure, source.places[static_cast<std::size_t>(j)],
                          target.places[static_cast<std::size_t>(i)],
                          faded(is_strong ? theme.selection : input.color, opacity),
                          std::max(0.75f, kMostWidth * weight));
            }
    const std::vector<Scalar> alike(input.target.size(), 0);
    add_words(result.figure,
              {input.source, source, amounts_read(input), input.hovered, input.color}, theme,
              measure);
    add_words(result.figure, {input.target, target, alike, input.query, theme.selection}, theme,
              measure);
    result.sources = source.places;
    result.targets = target.places;
    return result;
}

}  // namespace headlight
