// The normalizer setting, as an operation and in words.
#pragma once

#include <string>

#include "core/operation.h"
#include "core/settings.h"

namespace headlight {

/// From masked scores to a pattern, row by row. Reads count = top_k.
const Operation& normalizer_operation(Normalizer normalizer);

/// "softmax(S + M)", for the scores "S + M".
std::string normalized_text(Normalizer normalizer, int top_k, const std::string& scores);

}  // namespace headlight
