// Words on a line, arcs from the words that look to the words they read.
#include "paint/arcs_figure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paint/color.h"
#include "paint/labels.h"

namespace headlight {
namespace {

constexpr float kPad = 8;
constexpr float kLargestSize = 13, kSmallestSize = 8.5f;
constexpr std::size_t kMostWords = 80;
constexpr float kWidestGap = 26;
constexpr float kWeakestArc = 0.008f;  // thinner and paler than anyone can see
constexpr float kBand = 22;            // line of words under the arcs
constexpr int kStrongestNamed = 8;

struct WordLine {
    float size = kLargestSize;
    float limit = 0;  // longest word
    bool all_words = false;
    std::vector<float> widths;
};

float weight_of(const ArcRow& row, Index j) {
    if (j >= static_cast<Index>(row.weights.size())) return 0;
    const auto w = static_cast<float>(row.weights[j]);
    return std::isfinite(w) ? std::clamp(w, 0.0f, 1.0f) : 0;
}

std::vector<float> widths_at(const ArcsInput& input, float size, const MeasureText& measure) {
    std::vector<float> widths;
    for (const auto& label : input.labels) widths.push_back(measure(label, size, Font::Bold));
    return widths;
}

/// The width to which every word is cut so that the sum of all fits into `room`; 0 if too small.
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

/// Full size, then smaller, then shortened words, then ticks.
WordLine fit_words(const ArcsInput& input, const MeasureText& measure) {
    WordLine line;
    const std::size_t count = input.labels.size();
    if (count > kMostWords) return line;
    for (float size = kLargestSize; size >= kSmallestSize; size -= 0.75f) {
        line.size = size;
        line.widths = widths_at(input, size, measure);
        const float gap = 0.45f * size;
        const float room = input.width - 2 * kPad - gap * static_cast<float>(count);
        line.limit = fitting_limit(line.widths, room);
        const float widest = *std::max_element(line.widths.begin(), line.widths.end());
        line.all_words =
            line.limit >= std::min(widest, size <= kSmallestSize + 0.75f ? 18 : widest);
        if (line.all_words) break;
    }
    for (float& width : line.widths) width = std::min(width, line.limit);
    return line;
}

/// Boxes side by side; what is left of the width is shared out between the words, up to a limit.
std::vector<Box> word_places(const ArcsInput& input, const WordLine& line) {
    const auto count = static_cast<float>(input.labels.size());
    const float room = input.width - 2 * kPad;
    const float used = std::accumulate(line.widths.begin(), line.widths.end(), 0.0f);
    const float gap = line.all_words ? std::min(kWidestGap, (room - used) / count) : 0;
    float x = line.all_words ? (input.width - used - gap * count) / 2 : kPad;
    std::vector<Box> places;
    for (std::size_t k = 0; k < input.labels.size(); ++k) {
        const float width = line.all_words ? line.widths[k] + gap : room / count;
        places.push_back({x, input.height - kBand, width, kBand});
        x += width;
    }
    return places;
}

class Painter {
  public:
    Painter(const ArcsInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure) {
        result_.figure.width = input.width;
        result_.figure.height = input.height;
    }

    ArcsFigure paint() {
        if (input_.labels.empty()) return std::move(result_);
        line_ = fit_words(input_, measure_);
        result_.places = word_places(input_, line_);
        add_arcs();
        if (!line_.all_words) add_ticks();
        line_.all_words ? add_all_words() : add_chosen_words();
        return std::move(result_);
    }

  private:
    Index count() const { return static_cast<Index>(input_.labels.size()); }

    bool is_query(Index k) const {
        return std::any_of(input_.rows.begin(), input_.rows.end(),
                           [&](const ArcRow& row) { return row.query == k; });
    }

    void add_arcs() {
        struct Arc {
            const ArcRow* row;
            Index key;
            float weight;
        };
        std::vector<Arc> arcs;
        for (const ArcRow& row : input_.rows)
            for (Index j = 0; row.query < count() && j < count(); ++j)
                if (weight_of(row, j) >= kWeakestArc) arcs.push_back({&row, j, weight_of(row, j)});
        std::stable_sort(arcs.begin(), arcs.end(),
                         [](const Arc& a, const Arc& b) { return a.weight < b.weight; });
        float longest = 1;
        for (const Arc& arc : arcs) longest = std::max(longest, span(arc.row->query, arc.key));
        for (const Arc& arc : arcs) {
            const auto order = static_cast<float>(arc.row - input_.rows.data());
            const float rows = std::max<float>(1, static_cast<float>(input_.rows.size()) - 1);
            add_arc(*arc.row, arc.key, {longest, 1 - 0.16f * order / rows});
        }
    }

    float span(Index a, Index b) const {
        return std::abs(result_.places[a].center().x - result_.places[b].center().x);
    }

    struct ArcHeight {
        float longest;   // distance that takes the full height
        float fraction;  // heads with the same words keep apart a little
    };

    void add_arc(const ArcRow& row, Index key, ArcHeight height) {
        const float weight = weight_of(row, key);
        const float width = 0.6f + 5.4f * weight;
        const float ground = input_.height - kBand - 2;
        const float room = ground - kPad - width / 2;
        const float from = result_.places[row.query].center().x;
        const float to = result_.places[key].center().x;
        const float reach = std::pow(span(row.query, key) / height.longest, 0.75f);
        const float rise = std::max(std::min(16.0f, room), room * reach) * height.fraction;
        const float lift = rise * 4 / 3;  // a cubic reaches 3/4 of its controls' height
        float lean = 0.12f * (to - from);
        if (row.query == key) lean = -std::min(11.0f, result_.places[key].width * 0.6f);
        double opacity = 0.18 + 0.72 * weight;
        if (input_.hovered && *input_.hovered != key && *input_.hovered != row.query)
            opacity *= 0.3;
        result_.figure.add(CurveMark{{from, ground},
                                     {from + lean, ground - lift},
                                     {to - lean, ground - lift},
                                     {to, ground},
                                     faded(row.color, opacity),
                                     width});
    }

    void add_ticks() {
        const float top = input_.height - kBand;
        const float right = result_.places.back().right();
        result_.figure.add(LineMark{{kPad, top}, {right, top}, theme_.border, 1});
        if (result_.places[0].width < 2) return;
        for (const Box& place : result_.places)
            result_.figure.add(
                LineMark{{place.center().x, top}, {place.center().x, top + 3}, theme_.wire, 0.75f});
    }

    TextMark word(Index k, float size) const {
        TextMark mark{{result_.places[k].center().x, input_.height - 7}, input_.labels[k], size};
        mark.align = Align::Middle;
        const bool is_chosen = is_query(k);
        mark.font = is_chosen ? Font::Bold : Font::Regular;
        mark.color = is_chosen             ? theme_.selection
                     : input_.hovered == k ? theme_.accent
                                           : theme_.text;
        return mark;
    }

    void add_all_words() {
        for (Index k = 0; k < count(); ++k) {
            TextMark mark = word(k, line_.size);
            shorten(mark, line_.widths[k] + 0.5f, measure_);
            if (!mark.text.empty()) result_.figure.add(std::move(mark));
        }
    }

    /// Queries, the hovered word, the most-read ones, then every k-th that still has room.
    void add_chosen_words() {
        TakenSpans taken;
        for (Index k : words_by_interest()) {
            TextMark mark = word(k, 11);
            shorten(mark, std::min(90.0f, input_.width - 2 * kPad), measure_);
            if (mark.text.empty()) continue;
            const float half = measure_(mark.text, mark.size, mark.font) / 2;
            mark.at.x = std::clamp(mark.at.x, kPad + half, input_.width - kPad - half);
            if (taken.take(mark.at.x - half - 4, mark.at.x + half + 4))
                result_.figure.add(std::move(mark));
        }
    }

    std::vector<Index> words_by_interest() const {
        std::vector<Index> words;
        for (const ArcRow& row : input_.rows)
            if (row.query < count()) words.push_back(row.query);
        if (input_.hovered && *input_.hovered < count()) words.push_back(*input_.hovered);
        std::vector<Index> read(count());
        std::iota(read.begin(), read.end(), Index{0});
        std::vector<float> weight(count());
        for (const ArcRow& row : input_.rows)
            for (Index j = 0; j < count(); ++j) weight[j] = std::max(weight[j], weight_of(row, j));
        const auto named = std::min<Index>(kStrongestNamed, count());
        std::partial_sort(read.begin(), read.begin() + named, read.end(), [&](Index a, Index b) {
            return weight[a] != weight[b] ? weight[a] > weight[b] : a < b;
        });
        words.insert(words.end(), read.begin(), read.begin() + named);
        const LabelRow regular{count(), result_.places[0].width, 60, {}};
        for (Index k : chosen_labels(regular)) words.push_back(k);
        return words;
    }

    const ArcsInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    WordLine line_;
    ArcsFigure result_;
};

}  // namespace

std::optional<Index> ArcsFigure::word_at(Point p) const {
    for (std::size_t k = 0; k < places.size(); ++k)
        if (places[k].contains(p)) return static_cast<Index>(k);
    return std::nullopt;
}

ArcsFigure arcs_figure(const ArcsInput& input, const Theme& theme, const MeasureText& measure) {
    return Painter(input, theme, measure).paint();
}

}  // namespace headlight
