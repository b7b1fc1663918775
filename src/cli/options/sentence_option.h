// Which one of several sentences a command is about.
#pragma once

#include <optional>

#include "cli/options/options.h"
#include "text/words.h"

namespace headlight {

inline void add_sentence(Options& command, std::optional<Index>& sentence) {
    command.optional_number(
        "--sentence", sentence, Index{1}, static_cast<Index>(kMaxWords),
        "Only this one of several sentences, counted from 1; without it, all, stacked");
}

}  // namespace headlight
