// Rotary angles: how far each pair of a head's columns turns from one position to the next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/attention_settings.h"
#include "core/scalar.h"

namespace headlight {

/// θ_f of each pair f of the first d = rotary_dims columns, θ_f = base^{−2f/d}, scaled by the
/// settings, of a text of n words. With L = rotary_length and r_f = L θ_f / 2π full turns in it:
///     Linear   θ_f / factor                                                [Chen 2023]
///     Dynamic  base · (factor n/L − factor + 1)^{d/(d−2)} as the base, if n > L   [bloc97 2023]
///     Llama3   θ_f / factor where r_f < low, θ_f where r_f > high; between them the mean of the
///              two, weighted by where r_f stands                           [Llama 3.1]
///     Yarn     the same two, weighted by where f stands between the pairs that turn high and low
///              times, rounded outwards                                     [Peng 2023, YaRN]
/// As Hugging Face's modeling_rope_utils computes them. Null: 10000^{−2f/d} of all columns.
/// Throws Error if more columns rotate than the head has, or low is not below high.
std::shared_ptr<const std::vector<double>> rotary_angles(const AttentionSettings& settings,
                                                         Index d_k, Index n_words);

/// What YaRN multiplies the turned columns by, 0.1 ln(factor) + 1; else 1.
double rotary_attention_factor(const AttentionSettings& settings);

/// "10000^{−2f/d_k}"
std::string rotary_angle_text(const AttentionSettings& settings);

/// How many of d_k columns rotate.
Index rotary_width(const AttentionSettings& settings, Index d_k);

}  // namespace headlight
