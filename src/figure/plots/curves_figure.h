// Curves: values that change with the steps of a training, one or two scales, a legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

struct CurvePlace {
    double x = 0, y = 0;
};

struct CurveLine {
    std::string name;                // in the legend; empty: it is not named
    std::vector<CurvePlace> points;  // ascending in x
    Color color;
    enum class Scale { Left, Right } scale = Scale::Left;
    enum class Stroke { Solid, Dashed } stroke = Stroke::Solid;
    float width = 2;
};

struct CurvesInput {
    std::vector<CurveLine> lines;
    double x_high = 1;                  // from 0
    double high = 1;                    // of the left scale, from 0
    std::string left_name, right_name;  // empty: not written; no right name: no right scale
    std::string x_name = {};            // below the scale; empty: not written
    std::optional<double> marked_x;     // the legend states the values there
    float width = 600, height = 220;
};

struct CurvesFigure {
    Figure figure;
    Box plot;  // the area of the curves
    double x_high = 1;

    /// Returns the x under a point; nothing outside the plot.
    std::optional<double> x_at(Point p) const;
};

/// Draws the curves. The right scale begins at 0 and holds all of its curves.
CurvesFigure curves_figure(const CurvesInput& input, const Theme& theme,
                           const MeasureText& measure);

/// Returns the last value at or before x; nothing before the first.
std::optional<double> value_at(const CurveLine& line, double x);

}  // namespace headlight
