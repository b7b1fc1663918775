// The last step of many scores, in words: what the sum is multiplied by.
#pragma once

#include <cmath>

#include "core/operation.h"
#include "core/operations/short_number.h"

namespace headlight {

/// Adds "÷ √d", or "× c", which leads to `value`; nothing where scale = 1. d: numbers of a vector.
inline void finish_scaled(Explanation& explanation, Scalar scale, Index d, Scalar value) {
    if (scale == 1) return;
    const bool is_root = std::abs(scale * scale * static_cast<Scalar>(d) - 1) < Scalar(1e-5);
    explanation.rule += is_root ? " / √d" : " · c";
    explanation.finish.push_back(
        {is_root ? "÷ √" + std::to_string(d) : "× " + short_number(scale), value});
}

}  // namespace headlight
