// A text, each word shaded by how much the chosen row reads it.
#include "figure/words_figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/color.h"
#include "figure/color_scale.h"
#include "figure/labels.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr float kShadeInset = 4.5f;  // between a word and the edge of its shade
constexpr float kWordGap = 2.5f;     // between shades

std::vector<Box> wrapped(const WordsInput& input, const MeasureText& measure) {
    const float height = std::round(input.text_size * 1.65f);
    std::vector<Box> places;
    float x = 0, y = 0;
    for (const auto& word : input.words) {
        // A sign may be narrower in bold, where it comes from another font.
        const float natural = std::max(measure(word, input.text_size, Font::Bold),
                                       measure(word, input.text_size, Font::Regular)) +
                              2 * kShadeInset;
        const float width = std::min(natural, input.width);
        if (x > 0 && x + width > input.width) {
            x = 0;
            y += height + kWordGap;
        }
        places.push_back({x, y, width, height});
        x += width + kWordGap;
    }
    return places;
}

TextMark word_mark(const WordsInput& input, Index k, Box place, const MeasureText& measure) {
    TextMark mark{{place.center().x, place.center().y + input.text_size * kMiddleShift},
                  input.words[k],
                  input.text_size};
    mark.align = Align::Middle;
    mark.font = is_among(k, input.queries) ? Font::Bold : Font::Regular;
    shorten(mark, place.width - 2 * kShadeInset + 0.5f, measure);
    return mark;
}

/// Returns the selection colour, unless the shade under it is too close.
Color query_color(const Theme& theme, Color shade) {
    const Color background = shade.a > 0 ? shade : theme.panel;
    return contrast(theme.selection, background) >= 3 ? theme.selection
                                                      : text_on(theme, background);
}

}  // namespace

std::optional<Index> WordsFigure::word_at(Point p) const {
    for (std::size_t k = 0; k < places.size(); ++k)
        if (places[k].contains(p)) return static_cast<Index>(k);
    return std::nullopt;
}

float words_height(const WordsInput& input, const MeasureText& measure) {
    const std::vector<Box> places = wrapped(input, measure);
    return places.empty() ? 0 : places.back().bottom();
}

WordsFigure words_figure(const WordsInput& input, const Theme& theme, const MeasureText& measure) {
    WordsFigure result;
    result.places = wrapped(input, measure);
    result.figure.width = input.width;
    result.figure.height = result.places.empty() ? 0 : result.places.back().bottom();
    for (Index k = 0; k < static_cast<Index>(input.words.size()); ++k) {
        const Box place = result.places[k];
        if (place.bottom() < input.seen_from || place.y > input.seen_to) continue;
        const bool has_weight = k < static_cast<Index>(input.weights.size());
        const Color shade =
            has_weight ? value_color(input.scale, input.weights[k]) : Color{0, 0, 0, 0};
        if (shade.a > 0) result.figure.add(RectMark{place, shade, {0, 0, 0, 0}, 0, 4});
        if (input.hovered == k)
            result.figure.add(RectMark{
                {place.x + 0.75f, place.y + 0.75f, place.width - 1.5f, place.height - 1.5f},
                {0, 0, 0, 0},
                theme.accent,
                1.5f,
                4});
        TextMark mark = word_mark(input, k, place, measure);
        mark.color = shade.a > 0 ? text_on(theme, shade) : theme.text;
        if (is_among(k, input.queries)) mark.color = query_color(theme, shade);
        if (!mark.text.empty()) result.figure.add(std::move(mark));
    }
    return result;
}

}  // namespace headlight
