#include "paint/figures/heatmap_times.h"

#include <algorithm>
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
/// whole, then the size of numbers and labels.
float reading_score(const HeatmapInput& input, float times, const MeasureText& measure) {
    const HeatmapLayout plan = lay_out(input, measure);
    Index n_missing = 0;
    for (const LeftOut& missing : plan.left_out)
        if (missing.what != std::string_view("legends")) n_missing += missing.count;
    const float number = number_type(input, plan, measure).size * times;
    const float label = plan.label_size * times;
    constexpr float kMissing = 1000, kCut = 10, kCutCaption = 3;
    return number + 0.35f * label - kMissing * static_cast<float>(n_missing) -
           kCut * static_cast<float>(count_cut(input, plan, measure)) -
           kCutCaption * static_cast<float>(count_cut_captions(input, plan, measure));
}

}  // namespace

NumberType number_type(const HeatmapInput& input, const HeatmapLayout& plan,
                       const MeasureText& measure) {
    const CellGrid& grid = plan.grid;
    const bool are_whole = input.numbers == HeatmapInput::Numbers::Whole;
    const bool are_small = input.numbers == HeatmapInput::Numbers::Small;
    const float least_cell = are_whole           ? kSmallestWholeCell
                             : are_small         ? kSmallestSmallCell
                             : input.stretch > 1 ? least_number_cell(input.scale)
                                                 : kSmallestNumberCell;
    const IndexRange rows = grid.seen_rows(), columns = grid.seen_columns();
    const bool has_room =
        rows.size() * columns.size() <= kMostNumbers && grid.cell_width() >= least_cell;
    if (input.numbers == HeatmapInput::Numbers::Never || !has_room) return {};
    const bool is_slide = input.stretch > 1;   // read from far away
    const bool is_far = input.times.most > 1;  // and larger than usual
    const float of_height = are_whole ? 0.62f : is_far ? 0.72f : is_slide ? 0.56f : 0.42f;
    float size = std::min(is_slide ? 14.0f : 11.0f, of_height * grid.cell_height());
    const std::string widest = are_whole             ? format_cell(input.scale.high, 0)
                               : input.scale.low < 0 ? "−0.00"
                                                     : "0.00";
    const float width = measure(widest, size, Font::Regular);
    const float room = grid.cell_width() - (are_whole ? 2 : 4);
    if (width > room) size *= room / width;
    if (size < (are_small ? 5.5f : 8.0f)) return {};
    return {size, are_whole ? 0 : room > width + 8 ? 3 : 2};
}

float best_times(HeatmapInput input, const MeasureText& measure) {
    constexpr float kStep = 0.86f;
    const Point room{input.width, input.height};
    float best = input.times.least, best_score = 0;
    bool is_first = true;
    for (float times = input.times.most; times >= input.times.least; times *= kStep) {
        input.width = room.x / times;
        input.height = room.y / times;
        const float score = reading_score(input, times, measure_enlarged(measure, times));
        if (is_first || score > best_score) best = times, best_score = score;
        is_first = false;
    }
    return best;
}

}  // namespace headlight
