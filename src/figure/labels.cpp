#include "figure/labels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <utility>

namespace headlight {

void fit(TextMark& mark, float max_width, const MeasureText& measure) {
    constexpr float kSmallest = 0.75f;
    const float width = measure(mark.text, mark.size, mark.font);
    if (width > max_width) mark.size *= std::max(kSmallest, max_width / width);
    shorten(mark, max_width, measure);
}

void CutTexts::shorten(TextMark& mark, float max_width, const MeasureText& measure) {
    std::string whole = mark.text;
    headlight::shorten(mark, max_width, measure);
    count(mark.text != whole);
}

namespace {

/// Returns the byte offsets at which the text may be cut.
std::vector<std::size_t> character_starts(const std::string& text) {
    std::vector<std::size_t> starts;
    for (std::size_t k = 0; k < text.size(); ++k)
        if ((text[k] & 0xc0) != 0x80) starts.push_back(k);  // it is not inside a character
    return starts;
}

std::string cut_at(const std::string& text, std::size_t end) {
    while (end > 0 && text[end - 1] == ' ') --end;
    return text.substr(0, end) + "…";
}

/// Returns a step that people can count on: 1, 2, 5, 10, 20, 50 …
Index round_step(double least) {
    Index decade = 1;
    while (true) {
        for (Index step : {1, 2, 5})
            if (step * decade >= least) return step * decade;
        decade *= 10;
    }
}

}  // namespace

std::string shortened(const TextMark& mark, float max_width, const MeasureText& measure) {
    const auto width = [&](const std::string& text) { return measure(text, mark.size, mark.font); };
    if (width(mark.text) <= max_width) return mark.text;
    const auto starts = character_starts(mark.text);
    std::size_t fits = 0, fails = starts.size();  // characters kept
    while (fits + 1 < fails) {
        const std::size_t kept = (fits + fails) / 2;
        (width(cut_at(mark.text, starts[kept])) <= max_width ? fits : fails) = kept;
    }
    if (fits > 0) return cut_at(mark.text, starts[fits]);
    return width("…") <= max_width ? "…" : "";
}

void shorten(TextMark& mark, float max_width, const MeasureText& measure) {
    mark.text = shortened(mark, max_width, measure);
}

float widest_label(const std::vector<std::string>& labels, float size, const MeasureText& measure) {
    const std::size_t step = std::max<std::size_t>(1, labels.size() / 256);
    float width = 0;
    for (std::size_t k = 0; k < labels.size(); k += step)
        width = std::max(width, measure(labels[k], size, Font::Bold));
    return width;
}

std::vector<std::string> wrapped_lines(const TextMark& text, float width,
                                       const MeasureText& measure) {
    std::vector<std::string> lines;
    std::istringstream words(text.text);
    for (std::string word; words >> word;) {
        const std::string longer = lines.empty() ? word : fmt::format("{} {}", lines.back(), word);
        if (lines.empty() || measure(longer, text.size, text.font) > width)
            lines.push_back(word);
        else
            lines.back() = longer;
    }
    return lines;
}

std::vector<Index> chosen_labels(const LabelRow& row) {
    std::vector<Index> chosen;
    if (row.count <= 0 || !(row.pitch > 0)) return chosen;
    const auto is_free = [&](Index k) {
        const auto at = std::lower_bound(chosen.begin(), chosen.end(), k);
        const auto far = [&](Index other) {
            return std::abs(other - k) * row.pitch >= row.min_distance;
        };
        return (at == chosen.end() || (*at != k && far(*at))) &&
               (at == chosen.begin() || far(*std::prev(at)));
    };
    const auto take = [&](Index k) {
        if (is_free(k)) chosen.insert(std::lower_bound(chosen.begin(), chosen.end(), k), k);
    };
    const IndexRange range{std::max<Index>(0, row.seen.first), std::min(row.count, row.seen.end)};
    for (Index k : row.important)
        if (range.contains(k)) take(k);
    const Index step = round_step(row.min_distance / row.pitch);
    // Labels are multiples of the step, so that they stay while the visible part moves.
    for (Index k = (range.first + step - 1) / step * step; k < range.end; k += step) take(k);
    return chosen;
}

bool TakenSpans::take(float from, float to) {
    const auto next = std::lower_bound(spans_.begin(), spans_.end(), std::pair(from, from));
    if (next != spans_.end() && next->first < to) return false;
    if (next != spans_.begin() && std::prev(next)->second > from) return false;
    spans_.insert(next, {from, to});
    return true;
}

}  // namespace headlight
