// The answers of a class as a picture that can be read from the last row: bars, or columns over an
// axis of numbers; and the slide on which it stands.
#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>
#include <vector>

#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "present/class_answers.h"
#include "present/page/page_text_figure.h"
#include "text/strings.h"

namespace headlight {
namespace {

// Sizes in points of a page that is kPageHeight high.
constexpr float kHighestRow = 72, kThickestBar = 38, kLargestLabel = 22, kLeastLabel = 10;
constexpr float kLargestCount = 24, kLeastCount = 12, kCountGap = 12;
constexpr float kWidestColumn = 96, kAxisHeight = 30, kTickSize = 14, kBandWidth = 4;
constexpr float kLinesBelow = 32, kSaidBelow = 22, kSaidSize = 16, kNoteSize = 12, kHowToSize = 18;
/// The most of the width that the answers' words take.
constexpr float kLabelShare = 0.44f;

Color faded(Color color) {
    color.a = 90;
    return color;
}

/// Draws the words of all answers, in one size, none higher than its row: a smaller one would tell
/// which answer is the longest.
std::vector<Figure> row_labels(const std::vector<ClassCount::Bar>& bars, float width, float height,
                               const ClassLook& look) {
    const float least = kLeastLabel * look.unit;
    float size = std::clamp(0.42f * height, least, kLargestLabel * look.unit);
    std::vector<Figure> labels;
    for (const ClassCount::Bar& bar : bars) {
        const auto drawn = [&] {
            return text_figure(bar.label, {width, size, look.theme, look.measure});
        };
        while (drawn().height > height && size > least) size = std::max(least, 0.9f * size);
    }
    for (const ClassCount::Bar& bar : bars)
        labels.push_back(text_figure(bar.label, {width, size, look.theme, look.measure}));
    return labels;
}

Figure class_bars_figure(const ClassCount& count, const ClassLook& look) {
    const Theme& theme = look.theme;
    const float unit = look.unit,
                n = static_cast<float>(std::max<std::size_t>(1, count.bars.size()));
    const float row = std::min(look.size.y / n, kHighestRow * unit);
    const float thick = std::min(0.6f * row, kThickestBar * unit);
    const float size = std::clamp(0.42f * row, kLeastCount * unit, kLargestCount * unit);
    const auto numbers = [&](const ClassCount::Bar& bar) {
        return fmt::format("{}  ·  {} %", bar.n, percentage(bar.n, count.n_counted));
    };
    const float sign = 1.3f * size;  // the room of ✓, which is kept before it is seen
    const std::vector<Figure> labels =
        row_labels(count.bars, kLabelShare * look.size.x, 0.94f * row, look);
    float words = 0, number = look.measure("10  ·  100 %", size, Font::Bold);
    for (const Figure& label : labels) words = std::max(words, far_corner(label, look.measure).x);
    for (const ClassCount::Bar& bar : count.bars)
        number = std::max(number, look.measure(numbers(bar), size, Font::Bold));
    const float left = words + kCountGap * unit;
    const float longest = look.size.x - left - number - sign - kCountGap * unit;
    Figure figure{look.size.x, row * n, {}, {}};
    for (std::size_t k = 0; k < count.bars.size(); ++k) {
        const ClassCount::Bar& bar = count.bars[k];
        const float middle = (static_cast<float>(k) + 0.5f) * row, top = middle - thick / 2;
        const bool is_faded = look.is_revealed && !bar.is_right;
        const float share =
            static_cast<float>(bar.n) / static_cast<float>(std::max(1, count.n_counted));
        figure.add(RectMark{{left, top, longest, thick}, theme.accent_soft, {}, 0, 4 * unit});
        if (bar.n > 0)
            figure.add(RectMark{{left, top, std::max(3 * unit, share * longest), thick},
                                is_faded ? faded(theme.muted) : theme.accent,
                                {},
                                0,
                                4 * unit});
        const float baseline = middle + kMiddleShift * size;
        if (look.is_revealed && bar.is_right)
            figure.add(
                TextMark{{look.size.x, baseline}, "✓", size, theme.accent, Font::Bold, Align::End});
        add_part(figure, labels[k], {0, middle - labels[k].height / 2});
        figure.add(TextMark{{left + longest + kCountGap * unit, baseline},
                            numbers(bar),
                            size,
                            is_faded ? theme.muted : theme.text,
                            Font::Bold});
    }
    return figure;
}

/// The columns of a histogram, and where numbers lie on its axis.
struct NumberColumns {
    const ClassCount& count;
    const ClassLook& look;
    const ClassCount::Axis& axis;
    float width = 0, left = 0, bottom = 0;
    long n_inner = 0;  // without those of all numbers below and above

    float first() const { return left + (axis.has_below ? width : 0); }
    /// Returns the x of a number, which may lie outside of the columns.
    float x_of(double number) const {
        return first() + static_cast<float>((number - axis.low) / axis.step) * width;
    }
    float last() const { return first() + static_cast<float>(n_inner) * width; }
};

NumberColumns place_columns(const ClassCount& count, const ClassLook& look) {
    NumberColumns columns{.count = count, .look = look, .axis = *count.axis};
    const auto n = static_cast<float>(count.bars.size());
    columns.width = std::min(look.size.x / n, kWidestColumn * look.unit);
    columns.left = (look.size.x - n * columns.width) / 2;
    columns.bottom = look.size.y - kAxisHeight * look.unit;
    columns.n_inner = std::ssize(count.bars) - columns.axis.has_below - columns.axis.has_above;
    return columns;
}

/// Marks the numbers that are right, or at which end of the axis they are.
void add_right_band(Figure& figure, const NumberColumns& columns) {
    const ClassLook& look = columns.look;
    const double right = *columns.count.right_number, within = columns.count.within;
    const float unit = look.unit;
    float from = columns.x_of(right - within), to = columns.x_of(right + within);
    if (to < columns.first() || from > columns.last()) {
        const bool is_below = to < columns.first();
        const std::string number = short_number(right);
        figure.add(TextMark{{is_below ? 0 : look.size.x, kTickSize * unit},
                            is_below ? "← " + number + " is right" : number + " is right →",
                            kTickSize * unit,
                            look.theme.accent,
                            Font::Bold,
                            is_below ? Align::Start : Align::End});
        return;
    }
    const float least = kBandWidth * unit;
    if (to - from < least) from = (from + to - least) / 2, to = from + least;
    from = std::max(from, columns.first());
    to = std::min(to, columns.last());
    const float bottom = columns.bottom;
    figure.add(RectMark{{from, 0, to - from, bottom}, look.theme.accent_soft});
    figure.add(RectMark{{from, bottom, to - from, kBandWidth * unit}, look.theme.accent});
}

void add_number_axis(Figure& figure, const NumberColumns& columns) {
    const ClassLook& look = columns.look;
    const ClassCount::Axis& axis = columns.axis;
    const float size = kTickSize * look.unit;
    const float baseline = columns.bottom + 1.4f * size;
    const auto words = [&](long k) {
        return short_number(axis.low + static_cast<double>(k) * axis.step);
    };
    figure.add(LineMark{{columns.left, columns.bottom},
                        {look.size.x - columns.left, columns.bottom},
                        look.theme.muted,
                        1.5f * look.unit});
    float widest = 0;
    for (long k = 0; k <= columns.n_inner; ++k)
        widest = std::max(widest, look.measure(words(k), size, Font::Regular));
    long every = 1;
    while (static_cast<float>(every) * columns.width < 1.25f * widest) ++every;
    for (long k = 0; k <= columns.n_inner; k += every)
        figure.add(TextMark{{columns.first() + static_cast<float>(k) * columns.width, baseline},
                            words(k),
                            size,
                            look.theme.text,
                            Font::Regular,
                            Align::Middle});
    const auto add_end = [&](const char* end, float x) {
        figure.add(
            TextMark{{x, baseline}, end, size, look.theme.muted, Font::Regular, Align::Middle});
    };
    if (axis.has_below) add_end("less", columns.left + columns.width / 3);
    if (axis.has_above) add_end("more", columns.last() + 2 * columns.width / 3);
}

Figure class_columns_figure(const ClassCount& count, const ClassLook& look) {
    const NumberColumns columns = place_columns(count, look);
    const float unit = look.unit;
    const float size = std::clamp(0.36f * columns.width, kLeastCount * unit, kLargestCount * unit);
    const float highest = columns.bottom - 1.4f * size;
    int most = 1;
    for (const ClassCount::Bar& bar : count.bars) most = std::max(most, bar.n);
    Figure figure{look.size.x, look.size.y, {}, {}};
    if (look.is_revealed && count.right_number) add_right_band(figure, columns);
    for (std::size_t k = 0; k < count.bars.size(); ++k) {
        const ClassCount::Bar& bar = count.bars[k];
        if (bar.n == 0) continue;
        const auto height_of = [&](int n) {
            return highest * static_cast<float>(n) / static_cast<float>(most);
        };
        const float height = height_of(bar.n);
        const float x = columns.left + static_cast<float>(k) * columns.width;
        const bool is_faded = look.is_revealed && bar.n_right == 0;
        const auto add_column = [&](float high, Color color) {
            figure.add(
                RectMark{{x + 2 * unit, columns.bottom - high, columns.width - 4 * unit, high},
                         color,
                         {},
                         0,
                         3 * unit});
        };
        add_column(height, look.is_revealed ? faded(look.theme.muted) : look.theme.accent);
        if (look.is_revealed && bar.n_right > 0)
            add_column(height_of(bar.n_right), look.theme.accent);
        figure.add(TextMark{{x + columns.width / 2, columns.bottom - height - 0.35f * size},
                            std::to_string(bar.n),
                            size,
                            is_faded ? look.theme.muted : look.theme.text,
                            Font::Bold,
                            Align::Middle});
    }
    add_number_axis(figure, columns);
    return figure;
}

}  // namespace

Figure class_figure(const ClassCount& count, const ClassLook& look) {
    return count.axis ? class_columns_figure(count, look) : class_bars_figure(count, look);
}

Figure class_page_figure(const ClassPage& page, const ClassLook& look) {
    const float unit = look.unit, width = look.size.x - 2 * kPageMargin * unit;
    const auto note = [&](const std::string& words, Color color) {
        Figure drawn =
            text_figure(plain_words(words), {width, kNoteSize * unit, look.theme, look.measure});
        for (Mark& mark : drawn.marks)
            if (auto* text = std::get_if<TextMark>(&mark)) text->color = color;
        return drawn;
    };
    const bool is_empty = page.count.n_counted == 0 && page.count.n_shown == 0;
    const Figure said = note(page.said, look.theme.warning);
    const Figure paste = note(is_empty ? "" : page.paste, look.theme.muted);
    const PageContent content{.title = page.title,
                              .text = page.count.question,
                              .has_view = true,
                              .aspect = 3,
                              .below = kLinesBelow + (said.height + paste.height) / unit,
                              .arrangement = PageArrangement::TextAbove};
    const PageLayout layout = layout_page(content, look.size, look.theme, look.measure);
    Figure figure = layout.text;
    const Box &view = layout.view, &below = layout.below;
    if (is_empty) {
        const PageText how_to = read_page_text(page.how_to, "");
        add_part(figure,
                 text_figure(how_to, {view.width, kHowToSize * unit, look.theme, look.measure}),
                 {view.x, view.y});
    } else {
        ClassLook inner = look;
        inner.size = {view.width, view.height};
        const Figure picture = class_figure(page.count, inner);
        add_part(figure, picture,
                 {view.x, view.y + std::max(0.0f, (view.height - picture.height) / 2)});
    }
    std::string counted = is_empty ? "" : counted_words(page.count);
    if (const std::string right = revealed_words(page.count);
        look.is_revealed && !is_empty && !right.empty())
        counted += "  ·  " + right;
    TextMark line{
        {below.x, below.y + kSaidBelow * unit}, counted, kSaidSize * unit, look.theme.text};
    fit(line, below.width, look.measure);
    figure.add(std::move(line));
    add_part(figure, said, {below.x, below.y + kLinesBelow * unit});
    add_part(figure, paste, {below.x, below.y + kLinesBelow * unit + said.height});
    add_page_foot(figure, layout.foot, {}, {}, page.number, look.theme, look.measure);
    return figure;
}

}  // namespace headlight
