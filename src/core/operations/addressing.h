// The settings of addressing, as an operation and in words.
#pragma once

#include <string>

#include "core/operation.h"
#include "core/settings.h"

namespace headlight {

/// From masked scores to a pattern, row by row. Reads count = top_k.
const Operation& addressing_operation(Addressing addressing);

/// "softmax(S + M)", for the scores "S + M".
std::string addressed_text(Addressing addressing, int top_k, const std::string& scores);

}  // namespace headlight
