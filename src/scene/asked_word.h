// The word that a study asks about: what does "it" stand for?
#pragma once

#include <optional>

#include "core/trace.h"

namespace headlight {

/// Its row among those of the page; nothing if the study asks about no word.
std::optional<Index> asked_row(const Trace& page);

}  // namespace headlight
