// One row of a matrix as horizontal bars with labels and values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

struct BarsInput {
    std::vector<std::string> labels;  // missing ones are empty
    std::vector<Scalar> values;
    std::vector<Scalar> others = {};  // as many or none: thin bars and second numbers
    enum class Order { AsGiven, StrongestFirst, LargestFirst } order = Order::AsGiven;
    /// The number of further items, too many to be given; the last line counts and adds them, too.
    Index n_more = 0;
    Scalar more_sum = 0;
    int max_rows = 16;      // at least 1; the rest becomes one line, "… 1,988 more", with its sum
    Scalar full_scale = 0;  // value of the longest possible bar; 0: the largest magnitude here
    Color color;
    std::vector<Color> colors = {};  // one a value in place of `color`, or none
    Color negative_color;            // bars of values below 0 go left
    Color other_color = {};          // of the thin bars
    std::optional<Index> selected, hovered;
    float width = 260;
    float label_share = 0.35f;  // of the width, at most; longer labels are cut
    /// Bars of another picture, to be compared with these: both have one scale and the same
    /// columns. It outlives the call.
    const BarsInput* beside = nullptr;
};

struct BarsFigure {
    Figure figure;
    struct Row {
        Box box;
        std::optional<Index> item;  // absent for the rest
    };
    std::vector<Row> rows;

    std::optional<Index> item_at(Point p) const;
};

/// Draws the bars. StrongestFirst sorts by magnitude, LargestFirst by value. When not all rows fit,
/// AsGiven shows the strongest ones in their order, and the selected one. −∞ and NaN have no bar
/// and are no part of the sum.
BarsFigure bars_figure(const BarsInput& input, const Theme& theme, const MeasureText& measure);

}  // namespace headlight
