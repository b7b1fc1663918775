// A matrix that is to be guessed: its cover, and the marks of the guesses.
#pragma once

#include "paint/figures/heatmap_layout.h"
#include "paint/theme.h"

namespace headlight {

/// Told apart by shape: "?" in a ring, "✓" in a filled disc, "✗" in a ring, and a small disc on
/// what would have been right.
enum class GuessState { Open, Right, Wrong, Answer };

struct GuessMark {
    Point center;
    float radius = 8;
    GuessState state = GuessState::Open;
};

/// Takes away what would tell the values: colours, numbers, the legend, pins, what is selected. The
/// cells stay where they are.
void cover(HeatmapInput& input, const Theme& theme, const MeasureText& measure);

void add_guess_mark(Figure& figure, const GuessMark& mark, const Theme& theme);

}  // namespace headlight
