// How large the numbers of a heatmap are, and how large the whole is made for a hall.
#pragma once

#include "paint/figures/heatmap_layout.h"

namespace headlight {

/// What a turned label may be longer than its room, in its sizes: letters do not shrink exactly as
/// their size does.
inline constexpr float kTiltedSlack = 0.2f;

struct NumberType {
    float size = 0;  // 0: there are none
    int decimals = 0;
};

/// Of the numbers in the cells.
NumberType number_type(const HeatmapInput& input, const HeatmapLayout& plan,
                       const MeasureText& measure);

/// Within the input's times, the largest that leaves every label and number its room.
float best_times(HeatmapInput input, const MeasureText& measure);

}  // namespace headlight
