// Figures put together: one moved into another, and places for several beside each other.
#pragma once

#include <vector>

#include "figure/figure.h"
#include "figure/heatmap_layout.h"
#include "figure/theme.h"

namespace headlight {

/// Adds the marks of `part`, `scale` times as large, its origin at `at`.
void add_part(Figure& figure, const Figure& part, Point at, float scale = 1);

/// Enlarges the whole figure by that factor.
void enlarge(Figure& figure, float times);

/// Returns a function that measures widths as they are once everything is enlarged: letters do not
/// grow evenly. `measure` must outlive it.
MeasureText measure_enlarged(const MeasureText& measure, float times);

/// Returns boxes of equal size for `count` pictures inside `room`, `gap` apart: in one row, or in
/// several rows if that makes pictures of that aspect (width to height) larger. Empty for no
/// pictures.
std::vector<Box> place_pictures(Box room, int count, float gap, float aspect = 1);

/// Returns the corner right of and below every mark.
Point far_corner(const Figure& figure, const MeasureText& measure);

/// Removes the empty space at the right and at the bottom, except for `margin`. Never adds any.
void trim(Figure& figure, float margin, const MeasureText& measure);

/// The states of a guess, distinguished by shape: "?" in a ring, "✓" in a filled disc, "✗" in a
/// ring, and a small disc on the right answer.
enum class GuessState { Open, Right, Wrong, Answer };

struct GuessMark {
    Point center;
    float radius = 8;
    GuessState state = GuessState::Open;
};

/// Removes everything that would give the values away: colours, numbers, the legend, pins, the
/// selection. The cells stay where they are.
void cover(HeatmapInput& input, const Theme& theme, const MeasureText& measure);

void add_guess_mark(Figure& figure, const GuessMark& mark, const Theme& theme);

}  // namespace headlight
