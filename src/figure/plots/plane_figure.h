// Rows of two numbers as arrows in the plane, on a grid with equal scales; for two of them, the
// angle and the projection that make up their dot product.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

struct PlaneArrow {
    std::string name;
    double x = 0, y = 0;
    Color color;
    std::optional<Target> target = {};  // the meaning of its tip
};

/// Arrows of one matrix, by their colour.
struct PlaneGroup {
    std::string name;
    Color color;
    std::string symbol = {};  // set as a formula where the name begins with it
};

struct PlaneInput {
    std::string title;        // may be empty
    std::string symbol = {};  // set as a formula where the title begins with it
    std::vector<PlaneArrow> arrows;
    /// Groups of arrows, named with their colour below the title; may be empty.
    std::vector<PlaneGroup> legend = {};
    /// Two arrows, of which the second one is projected onto the first.
    std::optional<std::pair<std::size_t, std::size_t>> projected = {};
    std::string x_name = {}, y_name = {};  // of the axes
    float width = 480, height = 480;
};

struct PlaneFigure {
    Figure figure;
    std::vector<Point> tips;  // of the arrows
};

/// Draws the plane. All arrows and the origin are inside. Arrows of one place have one label with
/// all their names. Those that are not finite are left out, and the figure says how many.
PlaneFigure plane_figure(const PlaneInput& input, const Theme& theme, const MeasureText& measure);

/// Writes "east · west = −1.0, angle 180°, projection −1.0 × length 1.0".
std::string projection_text(const PlaneArrow& onto, const PlaneArrow& of);

}  // namespace headlight
