// The legend of a colour scale: a bar, numbers, the name of the scale.
#pragma once

#include <string>
#include <vector>

#include "figure/color_scale.h"
#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

/// Space that an upright legend takes in width, and a lying one in height.
inline constexpr float kLegendGap = 18;  // before an upright one
float legend_width(const ColorScale& scale, const MeasureText& measure, ClippedEnds clipped = {});
inline constexpr float kLegendHeight = 40;
/// Returns how long a bar must be so that its whole name stands along it.
float legend_length(const std::string& name, const MeasureText& measure);

/// True of the colours of a legend, which are no cells.
bool is_legend_bar(const HeatmapMark& mark);

struct LegendInput {
    Box box;
    ColorScale scale;
    std::string name;
    enum class Direction { Upright, Lying } direction = Direction::Upright;
    ClippedEnds clipped = {};  // "≥ 0.5" at such an end
    /// Scales that differ only in their colours: each has a stripe of the bar. Empty: one scale.
    std::vector<ColorScale> stripes = {};
};

/// Draws a legend. Everything stays inside the box, except half a line of text at both ends of an
/// upright bar.
void add_legend(Figure& figure, const LegendInput& legend, const Theme& theme,
                const MeasureText& measure);

}  // namespace headlight
