// Checks of the marks of a figure: do texts overlap, is everything inside?
#pragma once

#include <random>
#include <string>
#include <vector>

#include "figure/figure.h"

namespace headlight::test {

/// A font whose characters all have the same width: 0.55 of the size, bold 0.6.
float fake_measure(const std::string& text, float size, Font font);

std::vector<TextMark> texts_of(const Figure& figure);

/// True if the figure has a text mark with exactly this text.
bool has_text(const Figure& figure, const std::string& text);

/// The first pair of texts that overlap, as "'a' and 'b'"; empty if there is none.
std::string overlapping_texts(const Figure& figure);

/// The first mark that leaves the figure by more than `slack`, described; empty if there is none.
std::string outside_mark(const Figure& figure, float slack = 1);

/// A word of 1 to 14 letters, sometimes not ASCII.
std::string random_word(std::mt19937& random);

}  // namespace headlight::test
