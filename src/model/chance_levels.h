// What random weights reach by chance in a head's metrics.
//
// Goals: a head is called by what it does only where random weights of its shape would not do the
// same. Cheap, and the same on every machine: a few seeds that are always the same, at most
// kMostChanceWords words, and widths that are made smaller together.
#pragma once

#include <string>
#include <vector>

#include "core/mechanisms/transformer.h"

namespace headlight {

inline constexpr Index kMostChanceWords = 64;

/// What random weights are drawn for: layers of one of these settings over sentences of which only
/// the beginning counts, and which words are equal.
struct RandomHeads {
    std::vector<StackSettings> settings;
    std::vector<Words> sentences;
};

/// Adds, on demand, metrics.chance (kChancePath), attentions × metrics: what random weights do not
/// pass. Nothing where the plan has no metrics.
void add_chance_levels(Plan& plan, const RandomHeads& of);

/// For a recording, of which only the words are known: any head may be causal, or not.
std::vector<StackSettings> likely_settings();

namespace operations {

/// C(l,m) = max(mean + 5 deviations, largest) of metric m over the heads of layer l and over seeds;
/// of several settings the largest. A layer that they do not have is their last. Reads values (a
/// row of numbers for each of the settings), names (the words) and indices (how many of them each
/// sentence has). An analysis.
extern const Operation chance_levels;

}  // namespace operations
}  // namespace headlight
