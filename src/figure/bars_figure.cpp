// One row of a matrix as horizontal bars with labels and values.
#include "figure/bars_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "figure/color.h"
#include "figure/labels.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

constexpr float kSize = 11.5f;
constexpr float kRowHeight = 19;
constexpr float kBarHeight = 10;
constexpr float kPairedHeight = 7, kOtherHeight = 4;  // of two bars, one under the other
constexpr float kBarLabelGap = 8, kValueGap = 7;
constexpr float kShortest = 2;  // a value that is not 0 is visible

float magnitude(Scalar value) {
    return std::isfinite(value) ? std::abs(static_cast<float>(value)) : 0;
}

bool is_paired(const BarsInput& input) {
    return !input.others.empty() && input.others.size() == input.values.size();
}

/// Returns "0.42", or "0.42 | 0.31" where the item has two bars.
std::string item_number(const BarsInput& input, Index item, Scalar largest) {
    const std::string number = format_listed(input.values[item], largest);
    return is_paired(input)
               ? fmt::format("{} | {}", number, format_listed(input.others[item], largest))
               : number;
}

/// Returns the largest magnitude of the list, and of the one beside it.
Scalar largest_number(const BarsInput& input) {
    Scalar largest = 0;
    for (const BarsInput* of : {&input, input.beside})
        if (of)
            for (const auto* list : {&of->values, &of->others})
                for (const Scalar value : *list)
                    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

std::vector<Index> shown_items(const BarsInput& input) {
    std::vector<Index> items(input.values.size());
    std::iota(items.begin(), items.end(), Index{0});
    const auto strength = [&](Index item) {
        const float own = magnitude(input.values[item]);
        return is_paired(input) ? std::max(own, magnitude(input.others[item])) : own;
    };
    const auto stronger = [&](Index a, Index b) { return strength(a) > strength(b); };
    const auto larger = [&](Index a, Index b) {
        const Scalar x = input.values[a], y = input.values[b];
        return std::isnan(y) ? !std::isnan(x) : x > y;
    };
    const std::size_t most = std::max(1, input.max_rows);
    if (input.order == BarsInput::Order::LargestFirst)
        std::stable_sort(items.begin(), items.end(), larger);
    else if (items.size() > most || input.order == BarsInput::Order::StrongestFirst)
        std::stable_sort(items.begin(), items.end(), stronger);
    const bool is_cut = items.size() + (input.n_more > 0 ? 1 : 0) > most;
    if (is_cut) items.resize(std::max<std::size_t>(1, most - 1));
    const Index n_items = std::ssize(input.values);
    const bool lacks_selected = is_cut && input.selected && *input.selected < n_items &&
                                std::ranges::count(items, *input.selected) == 0;
    if (lacks_selected) items.back() = *input.selected;
    if (input.order == BarsInput::Order::AsGiven) std::sort(items.begin(), items.end());
    return items;
}

std::string item_label(const BarsInput& input, Index k) {
    return k < static_cast<Index>(input.labels.size()) ? input.labels[k] : "";
}

/// Label column, then bars left and right of the zero line, each with room for its number.
struct BarColumns {
    float label_right = 0;
    float zero = 0;
    float points_per_unit = 0;
};

class BarsPainter {
  public:
    BarsPainter(const BarsInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input),
          theme_(theme),
          measure_(measure),
          items_(shown_items(input)),
          largest_(largest_number(input)) {}

    BarsFigure paint() {
        plan_columns();
        for (Index item : items_) {
            start_row(item);
            add_item(item);
        }
        if (items_.size() < input_.values.size() || input_.n_more > 0) add_rest();
        labels_.tell(result_.figure);
        result_.figure.width = input_.width;
        result_.figure.height = static_cast<float>(result_.rows.size()) * kRowHeight;
        return std::move(result_);
    }

  private:
    float measure_width(const std::string& text, Font font = Font::Regular) const {
        return measure_(text, kSize, font);
    }

    /// The widths and values that the columns must have room for.
    struct Extent {
        float label = 0, positive_value = 0, negative_value = 0;  // widths
        float largest = 0, lowest = 0, highest = 0;               // of the values

        void reach(Scalar value) {
            largest = std::max(largest, magnitude(value));
            if (!std::isfinite(value)) return;
            lowest = std::min(lowest, static_cast<float>(value));
            highest = std::max(highest, static_cast<float>(value));
        }
    };

    void add_to(Extent& extent, const BarsInput& input) const {
        for (const Index item : shown_items(input)) {
            const Scalar value = input.values[static_cast<std::size_t>(item)];
            extent.label =
                std::max(extent.label, measure_width(item_label(input, item), Font::Bold));
            const bool is_negative = value < 0 && std::isfinite(value);
            float& room = is_negative ? extent.negative_value : extent.positive_value;
            room = std::max(
                room, measure_width(item_number(input, item, largest_), Font::Bold) + kValueGap);
            extent.reach(value);
            if (is_paired(input)) extent.reach(input.others[static_cast<std::size_t>(item)]);
        }
    }

    void plan_columns() {
        Extent extent{.largest = static_cast<float>(input_.full_scale)};
        add_to(extent, input_);
        if (input_.beside) add_to(extent, *input_.beside);
        columns_.label_right = std::min(extent.label, input_.label_share * input_.width);
        const float left = columns_.label_right + kBarLabelGap + extent.negative_value;
        const float room = std::max(1.0f, input_.width - left - extent.positive_value);
        float highest = extent.highest;
        if (highest > 0 || extent.lowest == 0) {
            // A full scale is kept free to the right only if one was asked for.
            highest = std::max(highest, input_.full_scale > 0 ? extent.largest : 0);
        }
        const float span = std::max(highest - extent.lowest, 1e-30f);
        columns_.points_per_unit = room / span;
        columns_.zero = left - extent.lowest * columns_.points_per_unit;
    }

    void start_row(std::optional<Index> item) {
        const float y = static_cast<float>(result_.rows.size()) * kRowHeight;
        result_.rows.push_back({{0, y, input_.width, kRowHeight}, item});
        if (item && input_.hovered == *item)
            result_.figure.add(
                RectMark{result_.rows.back().box, theme_.accent_soft, {0, 0, 0, 0}, 0, 4});
    }

    void add_item(Index item) {
        const Font font = input_.selected == item ? Font::Bold : Font::Regular;
        const float y = middle() + kSize * kMiddleShift;
        TextMark label{{columns_.label_right, y},
                       item_label(input_, item),
                       kSize,
                       theme_.text,
                       font,
                       Align::End};
        labels_.shorten(label, columns_.label_right, measure_);
        if (!label.text.empty()) result_.figure.add(std::move(label));
        const Scalar value = input_.values[item];
        const float end = add_bars(item);
        TextMark number{
            {end + kValueGap, y}, item_number(input_, item, largest_), kSize, theme_.muted, font};
        if (value < 0 && std::isfinite(value)) {
            number.at.x = end - kValueGap;
            number.align = Align::End;
        }
        result_.figure.add(std::move(number));
    }

    float middle() const { return result_.rows.back().box.center().y; }

    /// Adds the bars of an item; returns their end on the value's side of zero.
    float add_bars(Index item) {
        const Scalar value = input_.values[item];
        const Color color = value < 0               ? input_.negative_color
                            : input_.colors.empty() ? input_.color
                                                    : input_.colors[static_cast<std::size_t>(item)];
        if (!is_paired(input_))
            return add_bar(value, color, {middle() - kBarHeight / 2, kBarHeight});
        const float top = middle() - (kPairedHeight + kOtherHeight) / 2;
        const float other =
            add_bar(input_.others[item], input_.other_color, {top + kPairedHeight, kOtherHeight});
        const float end = add_bar(value, color, {top, kPairedHeight});
        return value < 0 ? std::min(end, other) : std::max(end, other);
    }

    struct Band {
        float top, height;
    };

    /// Adds a bar; returns its end.
    float add_bar(Scalar value, Color color, Band band) {
        const float size = magnitude(value);
        if (size == 0) return columns_.zero;
        const float length = std::max(kShortest, size * columns_.points_per_unit);
        Box box{columns_.zero, band.top, length, band.height};
        if (value < 0) box.x -= length;
        result_.figure.add(RectMark{box, color, {0, 0, 0, 0}, 0, std::min(1.5f, length / 2)});
        return value < 0 ? box.x : box.right();
    }

    /// Adds one line for the items that are not shown.
    void add_rest() {
        std::vector<Scalar> rest = input_.values;
        for (const Index item : items_) rest[static_cast<std::size_t>(item)] = 0;
        auto sum = static_cast<double>(input_.more_sum);
        for (const Scalar value : rest) sum += std::isfinite(value) ? value : 0;
        start_row(std::nullopt);
        const auto count = static_cast<Index>(input_.values.size() - items_.size()) + input_.n_more;
        TextMark mark{{0, middle() + kSize * kMiddleShift},
                      fmt::format("… {} more, in sum {}", format_count(count),
                                  format_listed(static_cast<Scalar>(sum), largest_)),
                      kSize,
                      theme_.muted};
        shorten(mark, input_.width, measure_);
        result_.figure.add(std::move(mark));
    }

    const BarsInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    std::vector<Index> items_;
    Scalar largest_;
    BarColumns columns_;
    CutTexts labels_{"labels"};
    BarsFigure result_;
};

}  // namespace

std::optional<Index> BarsFigure::item_at(Point p) const {
    for (const Row& row : rows)
        if (row.box.contains(p)) return row.item;
    return std::nullopt;
}

BarsFigure bars_figure(const BarsInput& input, const Theme& theme, const MeasureText& measure) {
    return BarsPainter(input, theme, measure).paint();
}

}  // namespace headlight
