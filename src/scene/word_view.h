// How lines between words are shown: view state, shared by the panels that draw them.
#pragma once

#include "core/pattern_rows.h"

namespace headlight {

inline constexpr float kLeastStrongestPercent = 0.1f;

struct WordView {
    enum class Layout { Columns, Line } layout = Layout::Columns;  // of two texts: two lines
    float strongest_percent = 100;
    enum class LeaveOut { Nothing, FirstToken, SpecialTokens } leave_out = LeaveOut::Nothing;
    LeftOutWeight left_out_weight = LeftOutWeight::Missing;
};

}  // namespace headlight
