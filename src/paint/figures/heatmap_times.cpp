#include "paint/figures/heatmap_times.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "paint/figure_parts.h"
#include "paint/number_format.h"
#include "paint/words/fitted_text.h"

namespace headlight {
namespace {

constexpr float kSmallestNumberCell = 36;  // width; numbers in smaller cells are only noise
constexpr float kSmallestSmallCell = 20;   // if they are asked for
constexpr float kSmallestWholeCell = 13;   // whole numbers are short
constexpr Index kMostNumbers = 4096;

/// The labels that are shortened.
Index count_cut(const HeatmapInput& input, const HeatmapLayout& plan, const MeasureText& measure) {
    Index n = 0;
    const auto count = [&](const std::vector<Index>& shown, const std::vector<std::string>& labels,
                           float room) {
        for (const Index k : shown)
            if (measure(labels[static_cast<std::size_t>(k)], plan.label_size, Font::Regular) > room)
                ++n;
    };
    count(plan.shown_rows, input.row_labels, plan.row_label_width);
    if (plan.columns != HeatmapLayout::Columns::Flat)
        count(plan.shown_columns, input.column_labels,
              plan.column_limit + kTiltedSlack * plan.label_size);
    return n;
}

/// The lines over the row labels that are shortened.
Index count_cut_captions(const HeatmapInput& input, const HeatmapLayout& plan,
                         const MeasureText& measure) {
    return std::ranges::count_if(caption_lines(input.caption), [&](const std::string& line) {
        TextMark mark{{}, line, kCaptionSize};
        fit(mark, plan.row_label_width + kFigurePad / 2, measure);
        return mark.text != line;
    });
}

/// How well a picture that is that many times as large can be read: labels that are all there, and
/// whole, numbers of a size that can be read, the legend, then the size of numbers and labels.
float reading_score(const HeatmapInput& input, float times, const MeasureText& measure) {
    const HeatmapLayout plan = lay_out(input, measure);
    Index n_missing = 0, n_legends = 0;
    for (const LeftOut& missing : plan.left_out)
        (missing.what == std::string_view("legends") ? n_legends : n_missing) += missing.count;
    const float number = number_type(input, plan, measure).size;
    const float lacking = std::max(0.0f, input.times.number - number);
    constexpr float kMissing = 1000, kLacking = 20, kCut = 10, kLegend = 6, kCutCaption = 3;
    return (number + 0.35f * plan.label_size - kLacking * lacking) * times -
           kMissing * static_cast<float>(n_missing) - kLegend * static_cast<float>(n_legends) -
           kCut * static_cast<float>(count_cut(input, plan, measure)) -
           kCutCaption * static_cast<float>(count_cut_captions(input, plan, measure));
}

/// The text with all digits as wide as the widest one of the type.
std::string in_widest_digits(std::string text, const MeasureText& measure, float size) {
    char widest = '0';
    float width = 0;
    for (char digit = '0'; digit <= '9'; ++digit) {
        const float its_width = measure(std::string(1, digit), size, Font::Regular);
        if (its_width > width) widest = digit, width = its_width;
    }
    for (char& c : text)
        if (c >= '0' && c <= '9') c = widest;
    return text;
}

/// The width of the widest number that is seen, in type of size 1. Numbers below 10 have one width.
float number_width(const HeatmapInput& input, const CellGrid& grid, const NumberType& type,
                   const MeasureText& measure) {
    constexpr Scalar kLong = Scalar(9.9);
    const bool has_signs = input.scale.low < 0;
    std::string widest = cell_text(has_signs ? Scalar(-0.5) : Scalar(0.5), type);
    widest = in_widest_digits(std::move(widest), measure, type.size);
    float width = measure(widest, type.size, Font::Regular);
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    std::size_t longest = 0;
    for (Index i = rows.first; i < rows.end; ++i)
        for (Index j = columns.first; j < columns.end; ++j) {
            const Scalar value = (*input.values)(i, j);
            if (std::abs(value) < kLong) continue;
            const std::string text = cell_text(value, type);
            if (text.size() <= longest) continue;
            longest = text.size();
            width = std::max(width, measure(text, type.size, Font::Regular));
        }
    return width / type.size;
}

/// Of a picture that is read from far away: three decimals where they have room, two, or less where
/// they could not be read.
NumberType far_number_type(const HeatmapInput& input, const CellGrid& grid,
                           const MeasureText& measure) {
    constexpr float kLargest = 14, kOfHeight = 0.72f, kMostOfHeight = 0.88f;
    const float smallest = input.numbers == HeatmapInput::Numbers::Small ? 5.5f : 8.0f;
    const bool is_far = input.times.most > 1;  // and larger than usual
    const float height = grid.cell_height(), room = grid.cell_width() - 4;
    float size = std::min(kLargest, (is_far ? kOfHeight : 0.56f) * height);
    size = std::max(size, std::min(input.times.number, kMostOfHeight * height));
    if (size < smallest) return {};
    const auto fitted = [&](NumberType type) {
        type.size = size;
        type.size = std::min(size, room / number_width(input, grid, type, measure));
        return type;
    };
    if (const NumberType type = fitted({0, 3}); type.size >= size) return type;
    NumberType best = fitted({0, 2});
    if (best.size < std::min(size, input.times.number))
        best = fitted({0, 2, NumberType::Form::Short});
    return best.size < smallest ? NumberType{} : best;
}

}  // namespace

std::string cell_text(Scalar value, const NumberType& type) {
    return type.form == NumberType::Form::Short ? format_short_cell(value)
                                                : format_cell(value, type.decimals);
}

NumberType number_type(const HeatmapInput& input, const HeatmapLayout& plan,
                       const MeasureText& measure) {
    const CellGrid& grid = plan.grid;
    const bool are_whole = input.numbers == HeatmapInput::Numbers::Whole;
    const bool are_small = input.numbers == HeatmapInput::Numbers::Small;
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    if (input.numbers == HeatmapInput::Numbers::Never) return {};
    if (rows.size() * columns.size() > kMostNumbers) return {};
    const bool is_slide = input.stretch > 1;  // read from far away
    if (is_slide && !are_whole) return far_number_type(input, grid, measure);
    const float least_cell = are_whole   ? kSmallestWholeCell
                             : are_small ? kSmallestSmallCell
                                         : kSmallestNumberCell;
    if (grid.cell_width() < least_cell) return {};
    const float of_height = are_whole ? 0.62f : 0.42f;
    float size = std::min(is_slide ? 14.0f : 11.0f, of_height * grid.cell_height());
    const std::string widest = in_widest_digits(are_whole ? format_cell(input.scale.high, 0)
                                                : input.scale.low < 0 ? "−0.00"
                                                                      : "0.00",
                                                measure, size);
    const float width = measure(widest, size, Font::Regular);
    const float room = grid.cell_width() - (are_whole ? 2 : 4);
    if (width > room) size *= room / width;
    if (size < (are_small ? 5.5f : 8.0f)) return {};
    return {size, are_whole ? 0 : room > width + 8 ? 3 : 2};
}

HeatmapInput before_enlarging(HeatmapInput input, float times) {
    input.width /= times;
    input.height /= times;
    input.times.number /= times;
    return input;
}

float best_times(const HeatmapInput& input, const MeasureText& measure) {
    constexpr float kStep = 0.86f;
    float best = input.times.least, best_score = 0;
    bool is_first = true;
    for (float times = input.times.most; times >= input.times.least; times *= kStep) {
        const float score =
            reading_score(before_enlarging(input, times), times, measure_enlarged(measure, times));
        if (is_first || score > best_score) best = times, best_score = score;
        is_first = false;
    }
    return best;
}

}  // namespace headlight
