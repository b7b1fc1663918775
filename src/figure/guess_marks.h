// A matrix that is to be guessed: its cover, and the marks of the guesses.
#pragma once

#include "figure/heatmap_layout.h"
#include "figure/theme.h"

namespace headlight {

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
