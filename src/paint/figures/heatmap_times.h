// How large the numbers of a heatmap are, and how large the whole is made for a hall.
#pragma once

#include <string>

#include "paint/figures/heatmap_layout.h"

namespace headlight {

/// What a turned label may be longer than its room, in its sizes: letters do not shrink exactly as
/// their size does.
inline constexpr float kTiltedSlack = 0.2f;

struct NumberType {
    float size = 0;  // 0: there are none
    int decimals = 0;
    enum class Form { Full, Short } form = Form::Full;
};
std::string cell_text(Scalar value, const NumberType& type);

/// Of the numbers in the cells. Where they would be too small to be read, see TimesRange, they are
/// higher in their cells, or shorter.
NumberType number_type(const HeatmapInput& input, const HeatmapLayout& plan,
                       const MeasureText& measure);

/// The picture before it is made that many times as large.
HeatmapInput before_enlarging(HeatmapInput input, float times);

/// Within the input's times, the largest that leaves every label and number its room.
float best_times(const HeatmapInput& input, const MeasureText& measure);

}  // namespace headlight
