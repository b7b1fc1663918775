// Levels that random weights reach by chance in a head's metrics.
//
// Goals: a head is named for a behaviour only if random weights of its shape would not show the
// same. The levels are cheap to compute and the same on every machine: a few fixed seeds, at most
// kMostChanceWords words, and widths that are scaled down together.
#pragma once

#include <string>
#include <vector>

#include "core/mechanisms/transformer.h"

namespace headlight {

inline constexpr Index kMostChanceWords = 64;

/// The settings and sentences that random weights are drawn for: layers with one of these settings.
/// Only the beginning of the sentences counts, and which words are equal.
struct RandomHeads {
    std::vector<StackSettings> settings;
    std::vector<Words> sentences;
};

/// Adds, on demand, metrics.chance (kChancePath), attentions × metrics: the levels that random
/// weights do not exceed. Adds nothing where the plan has no metrics.
void add_chance_levels(Plan& plan, const RandomHeads& of);

/// Returns the settings for a recording, of which only the words are known: any head may be causal
/// or not.
std::vector<StackSettings> likely_settings();

namespace operations {

/// C(l,m) = max(mean + 5 deviations, largest) of metric m over the heads of layer l and over seeds;
/// with several settings, the largest of their values. A layer beyond those of the settings is
/// treated as their last. Reads values (a row of numbers for each of the settings), names (the
/// words) and indices (the number of words in each sentence). An analysis.
extern const Operation chance_levels;

}  // namespace operations
}  // namespace headlight
