// Value-weighted attention shows, beside what a head reads, how much of it arrives.
#pragma once

#include <string>
#include <vector>

#include "figure/figure_look.h"
#include "views/scene.h"

namespace headlight {

/// Returns, for each chosen head of the shown attention, its pattern A and its norm_weighted, the
/// n_query × n_key matrix of A(i,j) ‖V(j) W_O‖ [Kobayashi 2020, "Attention is not only a weight"].
/// Empty where heads have none: recurrent networks, recordings.
std::vector<std::string> weighted_paths(const Scene& scene);

/// Draws the two beside each other, with a bar for each. What is large in A and small beside it is
/// looked at, but its value is short: a sink. Throws Error if they have no room.
Figure weighted_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
